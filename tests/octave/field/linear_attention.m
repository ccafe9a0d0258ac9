% SPDX-License-Identifier: GPL-3.0-or-later
% linear_attention(phi, Q, K, V[, 'causal'[, gamma]]): normalised linear attention.
% Without 'causal': y_t = phi(q_t) S / (phi(q_t) z), S = phi(K)'V, z = sum of the rows of phi(K).
% With 'causal', token by token, read after the write:
%   S_t = gamma_t S_{t-1} + phi(k_t)'v_t,  z_t = gamma_t z_{t-1} + phi(k_t)'.
% gamma: one number, or one a token (n x 1); 1 unless given.  0/0 is NaN.
function Y = linear_attention (phi, Q, K, V, mask, gamma)
  FQ = feval (phi, Q);
  FK = feval (phi, K);
  if nargin < 5
    Y = (FQ * (FK' * V)) ./ (FQ * sum (FK, 1)');
    return
  end
  if ! strcmp (mask, "causal")
    error ("linear_attention: unknown option '%s'", mask);
  end
  n = rows (Q);
  if nargin < 6
    gamma = 1;
  end
  if isscalar (gamma)
    gamma = gamma * ones (n, 1);
  end
  S = zeros (columns (FK), columns (V));
  z = zeros (columns (FK), 1);
  Y = zeros (n, columns (V));
  for t = 1:n
    S = gamma(t) * S + FK(t,:)' * V(t,:);
    z = gamma(t) * z + FK(t,:)';
    Y(t,:) = (FQ(t,:) * S) / (FQ(t,:) * z);
  end
end
