% SPDX-License-Identifier: GPL-3.0-or-later
% rope(X[, pos]): row t turned, pair by pair: columns (2i-1, 2i), i = 1 .. d/2, by the angle
% pos(t) * 10000^(-2(i-1)/d); pos counts from 0 unless given.  d is even.
function Y = rope (X, pos)
  [n, d] = size (X);
  if mod (d, 2) != 0
    error ("rope: the number of columns must be even, not %d", d);
  end
  if nargin < 2
    pos = (0:n-1)';
  end
  Y = zeros (n, d);
  for i = 1:d/2
    a = pos(:) * 10000 ^ (-2 * (i - 1) / d);
    x = X(:,2*i-1);
    y = X(:,2*i);
    Y(:,2*i-1) = x .* cos (a) - y .* sin (a);
    Y(:,2*i)   = x .* sin (a) + y .* cos (a);
  end
end
