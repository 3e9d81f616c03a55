// Package reactor is the shell around a scheduler: what touches the real clock and the
// goroutines that may block or run in parallel.
//
// It owns the wall clock; per Pool the work that is under way: by token, what was handed
// over and has not been collected; and per Reactor the slices that are with its workers, in
// the order in which they were handed out, and those behind them in the lines of their
// groups.
//
//	owner                              workers
//	ScheduleNext, Lend  ── slice ────▶  Machine.Resume, with the payload and nothing else
//	Recall, effects,    ◀── result ──   Outcome, Slice.Do, Slice.Await
//	Finish
//
// What it never does: touch the scheduler, or anything that belongs to it, from a worker.
package reactor
