% SPDX-License-Identifier: GPL-3.0-or-later
% gaussian_features(m, d): W, m x d, every row an independent N(0, I_d).
% Draws: one randn(m, d).
function W = gaussian_features (m, d)
  W = randn (m, d);
end
