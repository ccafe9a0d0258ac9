% SPDX-License-Identifier: GPL-3.0-or-later
% relative_error(A, B) = |A - B| / |B| in the Frobenius norm.
function r = relative_error (A, B)
  r = sqrt (sum ((A - B)(:) .^ 2)) / sqrt (sum (B(:) .^ 2));
end
