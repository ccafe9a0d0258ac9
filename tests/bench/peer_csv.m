% SPDX-License-Identifier: GPL-3.0-or-later
% octave-cli -qf peer_csv.m PATH N: times dlmwrite of an N x N matrix of normal numbers
% and prints octave,dlmwrite,n,n,wall_ms,cpu_ms,0,0,0.
a = argv();
n = str2double(a{2});
x = randn(n, n);
tic;
c = cputime();
dlmwrite(a{1}, x, ',', 'precision', '%.17g');
printf('octave,dlmwrite,%d,%d,%.4f,%.4f,0,0,0\n', n, n, toc * 1e3, (cputime() - c) * 1e3);
