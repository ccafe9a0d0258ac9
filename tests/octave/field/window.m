% SPDX-License-Identifier: GPL-3.0-or-later
% window(S, w): row i keeps the columns i-w+1 .. i, the token itself counted; -Inf elsewhere.
function S = window (S, w)
  [m, n] = size (S);
  j = 1:n;
  i = (1:m)';
  S(j > i | j < i - w + 1) = -Inf;
end
