% SPDX-License-Identifier: GPL-3.0-or-later
% rand(...): the next recorded draw, which must be a rand of this size (see draws_next).
function X = rand (varargin)
  X = draws_next ("rand", varargin{:});
end
