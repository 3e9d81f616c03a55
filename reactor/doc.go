// Package reactor runs the slices of one scheduler's fibers in parallel on several workers.
//
// One goroutine, the owner, runs the scheduler. It lends each ready fiber to a worker, which
// runs one slice of it. What the slice wants to do to other fibers is left for the owner, which
// does it after the slice has ended.
//
//	owner                              workers
//	ScheduleNext, Lend  ── slice ────▶  Machine.Resume, with the payload and nothing else
//	Recall, effects,    ◀── result ──   Outcome, Slice.Do, Slice.Await
//	Finish
//
// It owns the slices in flight, in the order in which they were handed out, and the slices
// that wait behind another one of their group. It never touches the scheduler, or an object
// that belongs to it, from a worker.
//
// Its only user in this module is selvage run --copies, where each fiber is a copy of the
// program. The other hosts run one slice at a time and drive scheduler or stackful directly;
// for real time they need package wallclock, for blocking calls package blocking.
package reactor
