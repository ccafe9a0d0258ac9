% SPDX-License-Identifier: GPL-3.0-or-later
% draws_next(name, size...): the next recorded matrix; an error if the record has none left or
% says another function or another size.
function X = draws_next (name, varargin)
  global attnwalk_draws
  if isempty (attnwalk_draws)
    error ("%s: no recorded draws are open", name);
  end
  wanted = [1, 1];
  if numel (varargin) == 1
    wanted = varargin{1};
    if isscalar (wanted)
      wanted = [wanted, wanted];
    end
  elseif numel (varargin) >= 2
    wanted = [varargin{1}, varargin{2}];
  end
  wanted = max (wanted, 0);
  k = attnwalk_draws.calls + 1;
  if k > numel (attnwalk_draws.lines)
    error ("%s: call %d, but only %d draws were recorded", name, k, k - 1);
  end
  field = strsplit (strrep (attnwalk_draws.lines{k}, '"', ""), ",");
  size_ = [str2double(field{3}), str2double(field{4})];
  if str2double (field{1}) != k || ! strcmp (field{2}, name) || any (size_ != wanted)
    error ("draw %d: the record says %s of %dx%d, the code asks for %s of %dx%d",
           k, field{2}, size_(1), size_(2), name, wanted(1), wanted(2));
  end
  text = fileread (fullfile (attnwalk_draws.folder, field{5}));
  text(text == "," | text == "\n" | text == "\r") = " ";
  numbers = sscanf (text, "%f");
  if numel (numbers) != prod (size_)
    error ("draw %d: %s holds %d numbers, not %dx%d", k, field{5}, numel (numbers), size_(1), size_(2));
  end
  X = reshape (numbers, size_(2), size_(1))';
  attnwalk_draws.calls = k;
end
