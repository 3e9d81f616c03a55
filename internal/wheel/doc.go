// Package wheel keeps the timers of one scheduler in deadline order, equal deadlines
// in the order they were registered.
//
// The table it owns is a hierarchical bucket wheel: eleven levels of 64 append-only
// buckets, one digit of six bits of the deadline each, so that a bucket of the lowest
// level holds one single instant and order is exact, not rounded to ticks.
//
// Cancelling is lazy: a timer whose ticket is spent stays until it comes due or until
// a compaction, and its owner, who alone can tell, finds it stale then. That costs a
// cancel nothing here; see NoteStale.
//
// What it never does: read a clock, wake a waiter, or ask whether an entry is stale
// while it moves entries about.
package wheel
