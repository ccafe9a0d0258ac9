% SPDX-License-Identifier: GPL-3.0-or-later
% softmax_attention(Q, K, V[, 'causal' | w]): softmax(Q*K'/sqrt(d_k))*V, everything visible, or
% masked causally, or by a window of w tokens that counts the token itself.
function Y = softmax_attention (Q, K, V, mask)
  S = Q * K' / sqrt (columns (Q));
  if nargin > 3
    if ischar (mask)
      if ! strcmp (mask, "causal")
        error ("softmax_attention: unknown option '%s'", mask);
      end
      S = causal (S);
    else
      S = window (S, mask);
    end
  end
  Y = softmax (S) * V;
end
