% SPDX-License-Identifier: GPL-3.0-or-later
% delta_rule(Q, K, V, beta): S += beta_t k_t'(v_t - k_t S), y_t = q_t S after the write.
% beta: one number or n x 1.  Keys are taken as they are.
function Y = delta_rule (Q, K, V, beta)
  Y = gated_delta_rule (Q, K, V, 1, beta);
end
