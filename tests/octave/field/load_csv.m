% SPDX-License-Identifier: GPL-3.0-or-later
% load_csv(file): a matrix from plain CSV: no header, one row a line, commas; nan, inf, -inf.
% A relative name is looked for in the folders of the global cell array attnwalk_folders (the
% lesson's own, then the data folder), or in the present one if that is empty.
function A = load_csv (file)
  global attnwalk_folders
  folders = attnwalk_folders;
  if isempty (folders)
    folders = {"."};
  end
  path = file;
  if file(1) != "/"
    path = "";
    for i = 1:numel (folders)
      if exist (fullfile (folders{i}, file), "file") == 2
        path = fullfile (folders{i}, file);
        break
      end
    end
    if isempty (path)
      error ("load_csv: no file '%s'", file);
    end
  end
  text = strtrim (strrep (fileread (path), "\r", ""));
  if isempty (text)
    error ("load_csv: '%s' holds no data", file);
  end
  lines = strsplit (text, "\n");
  counts = cellfun (@(line) sum (line == ",") + 1, lines);
  if any (counts != counts(1))
    error ("load_csv: '%s' line %d has another number of fields", file, find (counts != counts(1), 1));
  end
  numbers = sscanf (strrep (strrep (text, ",", " "), "\n", " "), "%f");
  if numel (numbers) != sum (counts)
    error ("load_csv: '%s' holds something that is not a number", file);
  end
  A = reshape (numbers, counts(1), [])';
end
