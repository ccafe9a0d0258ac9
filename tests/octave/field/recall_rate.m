% SPDX-License-Identifier: GPL-3.0-or-later
% recall_rate(got, values): share of the rows of got whose nearest row of values (squared
% Euclidean distance; of equals the lowest index) is their own, row i of values for row i of got.
% A row of got that holds a NaN is near nothing and counts as missed.
function r = recall_rate (got, values)
  hits = 0;
  for i = 1:rows (got)
    [dist, nearest] = min (sum ((values - got(i,:)) .^ 2, 2));    % the first of equals
    hits += (nearest == i && ! isnan (dist));
  end
  r = hits / rows (got);
end
