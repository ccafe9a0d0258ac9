% SPDX-License-Identifier: GPL-3.0-or-later
% identity(X) = X: the feature map that maps nothing.
function X = identity (X)
end
