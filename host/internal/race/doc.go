// Package race finds data races in a run of a program: two accesses of one word, map or channel,
// of which at least one writes, that the happens-before relation of Go's memory model does not order. It
// is FastTrack (Flanagan and Freund, 2009): a vector clock for each goroutine and each synchronization
// object, and for each word the last write and the reads since that no later read is ordered after. It
// finds a race in every run that makes the two accesses, whichever comes first, and reports no others.
//
// What it never does: schedule, run code, or know how values are stored.
package race
