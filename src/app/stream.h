/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream: eval --stream: one layer from files to a file, in the memory of a block of rows. */
#ifndef APP_STREAM_H
#define APP_STREAM_H

#include "app/eval_run.h"
#include "app/export.h"

/* Runs the layer that the statements of run (begun, nothing bound) call, and writes its outputs
 * to writer as they come.  CSV or NPY; NPY needs the number of rows from an NPY input, or a
 * file whose header can be written last. */
Status stream_layer(EvalRun *run, FileWriter *writer, ExportFormat format, Error *error);

#endif
