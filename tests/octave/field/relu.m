% SPDX-License-Identifier: GPL-3.0-or-later
% relu(X): negative entries become 0; NaN stays NaN.
function X = relu (X)
  X(X < 0) = 0;
end
