// Package blocking runs blocking calls for the fibers of one scheduler on a bounded
// number of goroutines.
//
// It owns the work that is under way: for each token, the function that was submitted and
// the result that the owner has not collected yet. The owner is the goroutine that owns the
// scheduler.
//
//	owner                           workers
//	Submit(token, work)
//	Poll ── a batch of jobs ──────▶  work(ctx), one job after the other
//	Poll ◀── results, by token ───   a worker that finished a job publishes its range
//
// It never touches the scheduler from a worker: the owner alone completes tokens.
//
// Package fiberio uses two pools for files and connections, reactor.Reactor has one for its
// fibers, and island.Start reports a Go panic of the host's code as a *scheduler.PanicError.
package blocking
