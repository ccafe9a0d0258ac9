% SPDX-License-Identifier: GPL-3.0-or-later
% l2rows(X): every row divided by its Euclidean length; a row of zeros stays.
function X = l2rows (X)
  len = sqrt (sum (X .^ 2, 2));
  len(len == 0) = 1;
  X = X ./ len;
end
