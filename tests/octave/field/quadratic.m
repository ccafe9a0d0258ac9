% SPDX-License-Identifier: GPL-3.0-or-later
% quadratic(X): n x d(d+1)/2 features with phi(q)*phi(k)' = (q*k')^2: the products x_i x_j in the
% order (1,1) (1,2) .. (1,d) (2,2) (2,3) .. (d,d), those off the diagonal times sqrt(2).
function F = quadratic (X)
  [n, d] = size (X);
  F = zeros (n, d * (d + 1) / 2);
  c = 0;
  for i = 1:d
    for j = i:d
      c += 1;
      F(:,c) = X(:,i) .* X(:,j);
      if i != j
        F(:,c) = sqrt (2) * F(:,c);
      end
    end
  end
end
