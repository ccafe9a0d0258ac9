% SPDX-License-Identifier: GPL-3.0-or-later
% effective_rank(A): exp of the entropy of the singular values over their sum (Roy and Vetterli).
function r = effective_rank (A)
  if any (! isfinite (A(:)))
    r = NaN;
    return
  end
  s = svd (A);
  r = exp (entropy (s' / sum (s)));
end
