% SPDX-License-Identifier: GPL-3.0-or-later
% favor(X, W): positive random features, n x m: exp(x*w' - |x|^2/2) / sqrt(m), W m x d.
% For directions w ~ N(0, I_d) the mean of phi(q)*phi(k)' is exp(q*k').
function F = favor (X, W)
  F = exp (X * W' - sum (X .^ 2, 2) / 2) / sqrt (rows (W));
end
