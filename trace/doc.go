// Package trace writes down what a scheduler does, one transition a line, so that the
// run can be held against the specification (spec/replay, "selvage spec check"), compared
// with another run byte by byte, or read.
//
// The format is NDJSON: a JSON object a line, the first saying what it is and the last
// that nothing is missing. docs/trace.md has the table of the lines and their fields;
// this package owns the writing of it. Names, instants and checksums are those of the
// run, so the same inputs and the same seed give the same bytes on every platform.
//
// What it never does: read the clock, reorder, leave out, or keep lines in memory.
package trace
