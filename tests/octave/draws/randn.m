% SPDX-License-Identifier: GPL-3.0-or-later
% randn(...): the next recorded draw, which must be a randn of this size (see draws_next).
function X = randn (varargin)
  X = draws_next ("randn", varargin{:});
end
