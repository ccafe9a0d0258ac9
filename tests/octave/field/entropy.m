% SPDX-License-Identifier: GPL-3.0-or-later
% entropy(P): a column, -sum p log p of every row in nats, 0 log 0 = 0.
function h = entropy (P)
  T = P .* log (P);
  T(P == 0) = 0;
  h = -sum (T, 2);
end
