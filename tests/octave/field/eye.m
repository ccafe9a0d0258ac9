% SPDX-License-Identifier: GPL-3.0-or-later
% eye as Octave's, but a full matrix: Octave's diagonal type leaves out the products 0*NaN.
function I = eye (varargin)
  I = full (builtin ("eye", varargin{:}));
end
