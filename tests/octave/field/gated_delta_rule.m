% SPDX-License-Identifier: GPL-3.0-or-later
% gated_delta_rule(Q, K, V, alpha, beta): decay, predict, correct, write, read:
%   S = alpha_t S;  e = v_t - k_t S;  S = S + beta_t k_t'e;  y_t = q_t S.
% alpha, beta: one number or n x 1.  Keys are taken as they are.
function Y = gated_delta_rule (Q, K, V, alpha, beta)
  n = rows (Q);
  if isscalar (alpha)
    alpha = alpha * ones (n, 1);
  end
  if isscalar (beta)
    beta = beta * ones (n, 1);
  end
  S = zeros (columns (K), columns (V));
  Y = zeros (n, columns (V));
  for t = 1:n
    S = alpha(t) * S;
    e = V(t,:) - K(t,:) * S;
    S = S + beta(t) * K(t,:)' * e;
    Y(t,:) = Q(t,:) * S;
  end
end
