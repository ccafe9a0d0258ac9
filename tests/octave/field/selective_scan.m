% SPDX-License-Identifier: GPL-3.0-or-later
% selective_scan(x, delta, A, B, C): the S6 recurrence, one state of N numbers a channel c:
%   h_t(c,:) = exp(delta_t(c) A(c,:)) .* h_{t-1}(c,:) + delta_t(c) x_t(c) B_t,   y_t(c) = h_t(c,:) C_t'.
% x, delta: n x c; A: c x N; B, C: n x N.  The input side is Euler's step; there is no D x term.
function Y = selective_scan (x, delta, A, B, C)
  [n, c] = size (x);
  h = zeros (c, columns (A));
  Y = zeros (n, c);
  for t = 1:n
    for i = 1:c
      h(i,:) = exp (delta(t,i) * A(i,:)) .* h(i,:) + delta(t,i) * x(t,i) * B(t,:);
      Y(t,i) = h(i,:) * C(t,:)';
    end
  end
end
