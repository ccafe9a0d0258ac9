% SPDX-License-Identifier: GPL-3.0-or-later
% elu1(X) = elu(x) + 1: x + 1 where x > 0, exp(x) elsewhere.
function Y = elu1 (X)
  Y = exp (X);
  Y(X > 0) = X(X > 0) + 1;
end
