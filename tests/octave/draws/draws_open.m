% SPDX-License-Identifier: GPL-3.0-or-later
% draws_open(folder): from now on randn and rand of this folder hand back, in order, what
% `attnwalk dump --random FOLDER` recorded.  FOLDER/draws.csv has the header
% call,function,rows,cols,file and a line a call; each file is plain CSV, a matrix row a line.
% The global struct attnwalk_draws keeps the lines and the number of calls handed back.
function draws_open (folder)
  global attnwalk_draws
  lines = strsplit (strtrim (strrep (fileread (fullfile (folder, "draws.csv")), "\r", "")), "\n");
  attnwalk_draws = struct ("folder", folder, "calls", 0, "lines", {lines(2:end)});
end
