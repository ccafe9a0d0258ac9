% SPDX-License-Identifier: GPL-3.0-or-later
% approx(A, B, tol): true iff the sizes are equal, NaN and Inf stand in the same places, and every
% other |a - b| <= tol * max(1, the largest finite |a| and |b|).
% With a second output: the largest |a - b| among the finite entries, Inf if the places differ.
function [yes, worst] = approx (A, B, tol)
  yes = false;
  worst = Inf;
  if ! isequal (size (A), size (B))
    return
  end
  A = double (A(:));
  B = double (B(:));
  fa = isfinite (A);
  if ! isequal (fa, isfinite (B)) || ! isequal (isnan (A), isnan (B)) ...
     || any (A(! fa & ! isnan (A)) != B(! fa & ! isnan (A)))
    return
  end
  a = A(fa);
  b = B(fa);
  worst = max ([0; abs(a - b)]);
  yes = worst <= tol * max ([1; abs(a); abs(b)]);
end
