% SPDX-License-Identifier: GPL-3.0-or-later
% diag as Octave's, but a full matrix: Octave's diagonal type leaves out the products 0*NaN.
function D = diag (varargin)
  D = full (builtin ("diag", varargin{:}));
end
