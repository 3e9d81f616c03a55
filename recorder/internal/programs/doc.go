// Package programs runs random programs of fibers, for tests of what records them. It
// owns the objects of a program while that runs, and never reads a clock.
package programs
