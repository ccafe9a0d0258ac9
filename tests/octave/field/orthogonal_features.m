% SPDX-License-Identifier: GPL-3.0-or-later
% orthogonal_features(m, d): W, m x d; each row by itself is N(0, I_d), the rows of a block of d
% are orthogonal to each other, blocks are independent.
%
% Draws, in this order: G = randn(m, d) for the directions, then L = randn(m, d) for the lengths.
% 1. G is cut into blocks of d rows; the last block may be shorter.
% 2. The rows of a block are orthonormalised in row order: Gram-Schmidt (the modified form, every
%    row swept twice), so row i of the result is the POSITIVE multiple of what is left of row i
%    after the rows above it have been taken out.  A short last block is the first rows of what
%    a full block would have given.
% 3. Row i is multiplied by norm(L(i,:)), which is independent of its direction: its length is
%    distributed as that of an N(0, I_d) row, so the features stay unbiased.
function W = orthogonal_features (m, d)
  W = randn (m, d);
  L = randn (m, d);
  for first = 1:d:m
    last = min (first + d - 1, m);
    for i = first:last
      w = W(i,:);
      for sweep = 1:2
        for j = first:i-1
          w = w - (w * W(j,:)') * W(j,:);
        end
      end
      W(i,:) = w / norm (w);
    end
  end
  for i = 1:m
    W(i,:) = norm (L(i,:)) * W(i,:);
  end
end
