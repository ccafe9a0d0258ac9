% SPDX-License-Identifier: GPL-3.0-or-later
% octave-cli check_field.m [CASES]: holds the definitions in field/ against the expected values in
% CASES (default ../data/cases), every shape and edge case found there, to 1e-10; exit 1 if any
% differs or if nothing was found.  Absent files are counted, not excused.
1;

function X = table_value (file, name)      % from `name,value` lines
  X = NaN;
  for line = strsplit (strtrim (fileread (file)), "\n")
    field = strsplit (line{1}, ",");
    if strcmp (field{1}, name)
      X = str2double (field{2});
    end
  end
end

function say (ok, what, worst)
  global tally
  if ok
    tally.passed += 1;
  else
    tally.failed += 1;
    printf ("FAIL %s: largest difference %g\n", what, worst);
  end
end

function same (got, shape, name)
  global tally cases
  file = fullfile (cases, shape, "out", [name ".csv"]);
  if ! exist (file, "file")
    tally.absent += 1;
    return
  end
  [ok, worst] = approx (got, load_csv (file), 1e-10);
  say (ok, [shape "/" name], worst);
end

function same_value (got, shape, name, key)
  global tally cases
  file = fullfile (cases, shape, "out", [name ".csv"]);
  if ! exist (file, "file")
    tally.absent += 1;
    return
  end
  [ok, worst] = approx (got, table_value (file, key), 1e-10);
  say (ok, [shape "/" name ":" key], worst);
end

function check_attention (shape, in)
  global cases
  Q = in("Q");  K = in("K");  V = in("V");
  d = columns (Q);
  params = @(key) table_value (fullfile (cases, shape, "in", "params.csv"), key);
  w = params ("window");

  P = softmax (Q * K' / sqrt (d));
  same (P, shape, "softmax_scaled/P");
  same (P * V, shape, "softmax_scaled/Y");
  same (softmax_attention (Q, K, V), shape, "softmax_scaled/Y");
  Pc = softmax (causal (Q * K' / sqrt (d)));
  same (Pc, shape, "softmax_scaled_causal/P");
  same (softmax_attention (Q, K, V, "causal"), shape, "softmax_scaled_causal/Y");
  same (softmax (window (Q * K' / sqrt (d), w)), shape, "softmax_scaled_window/P");
  same (softmax_attention (Q, K, V, w), shape, "softmax_scaled_window/Y");
  same (softmax (Q * K'), shape, "softmax_unscaled/P");
  same (softmax (causal (Q * K')), shape, "softmax_unscaled_causal/P");

  for phi = {"elu1", "relu", "quadratic", "exp"}
    phi = phi{1};
    same (feval (phi, Q), shape, ["phi_" phi "/phiQ"]);
    same (feval (phi, K), shape, ["phi_" phi "/phiK"]);
    same (linear_attention (str2func (phi), Q, K, V), shape, ["linear_" phi "_full/Y"]);
    same (linear_attention (str2func (phi), Q, K, V, "causal"), shape, ["linear_" phi "_causal/Y"]);
  end
  same (identity (Q) * (identity (K)' * V), shape, "linear_identity_full/Y");

  same (linear_attention (@elu1, Q, K, V, "causal", params ("gamma_fixed")), shape,
        "decay_fixed_elu1_normalised/Y");
  same (linear_attention (@elu1, Q, K, V, "causal", in("gamma")), shape,
        "decay_steps_elu1_normalised/Y");

  for kind = {"iid", "orthogonal"}
    W = in(["omega_" kind{1}]);
    FQ = favor (Q / d ^ 0.25, W);
    same (FQ, shape, ["favor_" kind{1} "_full/phiQ"]);
    same (favor (K / d ^ 0.25, W), shape, ["favor_" kind{1} "_full/phiK"]);
    map = @(X) favor (X / d ^ 0.25, W);
    same (linear_attention (map, Q, K, V), shape, ["favor_" kind{1} "_full/Y"]);
    same (linear_attention (map, Q, K, V, "causal"), shape, ["favor_" kind{1} "_causal/Y"]);
  end

  same (l2rows (K), shape, "l2norm/K");
  same (delta_rule (Q, l2rows (K), V, in("beta")), shape, "delta_unit/Y");
  same (delta_rule (Q, K, V, in("beta")), shape, "delta_raw/Y");
  same (gated_delta_rule (Q, l2rows (K), V, in("alpha"), in("beta")), shape, "gated_delta_unit/Y");

  if isKey (in, "mamba_A")
    Y = selective_scan (V, in("mamba_delta"), in("mamba_A"), in("mamba_B"), in("mamba_C"));
    same (Y + V .* in("mamba_D")', shape, "mamba_s6/Y");       % the expected one holds D x
  end
  if mod (d, 2) == 0
    same (rope (Q), shape, "rope_interleaved/Q");
    same (rope (K), shape, "rope_interleaved/K");
    same (rope (Q) * rope (K)', shape, "rope_interleaved/scores");
  end

  F = elu1 (Q) * elu1 (K)';
  weights = struct ("softmax_scaled", P, "softmax_scaled_causal", Pc,
                    "linear_elu1_full", F ./ sum (F, 2),
                    "linear_elu1_causal", tril (F) ./ sum (tril (F), 2));
  for name = fieldnames(weights)'
    name = name{1};
    same (entropy (weights.(name)), shape, ["shape_of_weights/" name "_entropy"]);
    same_value (effective_rank (weights.(name)), shape, ["shape_of_weights/" name], "effective_rank");
  end
  for rule = {"additive", "delta", "delta_3_passes", "softmax"}
    folder = ["recall_" rule{1}];
    file = fullfile (cases, shape, "out", folder, "Vhat.csv");
    if exist (file, "file")
      got = load_csv (file);
      same_value (recall_rate (got, V), shape, [folder "/measures"], "acc");
      same_value (relative_error (got, V) ^ 2, shape, [folder "/measures"], "rel");   % of squares
    end
  end
end

function check_edges (in, name)
  edge = ["edge/" name];
  switch name
    case "decay_reset_to_zero"
      g = in("gamma");      % identity map: multiply the normaliser back
      num = linear_attention (@identity, in("Q"), in("K"), in("V"), "causal", g);
      z = 0;  den = zeros (rows (g), 1);
      for t = 1:rows (g)
        z = g(t) * z + in("K")(t);
        den(t) = in("Q")(t) * z;
      end
      same (num .* den, edge, "Y");
    case {"delta_key_norm2_diverges", "delta_same_key_beta1", "delta_same_key_beta2", ...
          "delta_same_key_beta_half"}
      same (delta_rule (in("Q"), in("K"), in("V"), in("beta")), edge, "Y");
    case "gated_delta_order"
      same (gated_delta_rule (in("Q"), in("K"), in("V"), in("alpha"), in("beta")), edge, "Y");
    case "l2norm_zero_row"
      same (l2rows (in("X")), edge, "X");
    case "relu_zero_denominator"
      same (linear_attention (@relu, in("Q"), in("K"), in("V")), edge, "Y");
    case "softmax_extreme_scores"
      same (softmax (in("scores")), edge, "P");
    case "favor_features_underflow"
      same (favor (in("Q") / columns (in("Q")) ^ 0.25, in("omega")), edge, "phiQ");
  end
end

function in = inputs (folder)
  in = containers.Map ();
  for entry = dir (fullfile (folder, "*.csv"))'
    [~, name] = fileparts (entry.name);
    if ! strcmp (name, "params")
      in(name) = load_csv (fullfile (folder, entry.name));
    end
  end
end

warning ("off", "all");
here = fileparts (mfilename ("fullpathext"));
addpath (fullfile (here, "field"));
global tally cases
tally = struct ("passed", 0, "failed", 0, "absent", 0);
cases = fullfile (here, "..", "data", "cases");
if numel (argv ()) > 0
  cases = argv (){1};
end
cases = make_absolute_filename (cases);
for entry = dir (fullfile (cases, "n*"))'
  if entry.isdir
    check_attention (entry.name, inputs (fullfile (cases, entry.name, "in")));
  end
end
for entry = dir (fullfile (cases, "edge"))'
  if entry.isdir && entry.name(1) != "."
    check_edges (inputs (fullfile (cases, "edge", entry.name, "in")), entry.name);
  end
end
printf ("field: %d passed, %d failed, %d absent\n", tally.passed, tally.failed, tally.absent);
if tally.failed > 0 || tally.passed == 0
  error ("check_field: the definitions and the expected values do not agree");
end
