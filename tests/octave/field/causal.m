% SPDX-License-Identifier: GPL-3.0-or-later
% causal(S): -Inf where row i would look at a later column j > i.
function S = causal (S)
  [m, n] = size (S);
  S((1:n) > (1:m)') = -Inf;
end
