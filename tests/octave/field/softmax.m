% SPDX-License-Identifier: GPL-3.0-or-later
% softmax(S): by rows, the row's maximum subtracted first; a row of -Inf gives
% zeros, a row that holds a NaN is NaN throughout.
function P = softmax (S)
  P = zeros (size (S));
  for i = 1:rows (S)
    s = S(i,:);
    if all (s == -Inf)
      continue                % also a row of no entries
    end
    e = exp (s - max (s));
    P(i,:) = e / sum (e);
  end
end
