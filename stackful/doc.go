// Package stackful runs ordinary Go functions as fibers: each on a call stack of its
// own that is suspended when it waits, with blocking calls over the pure objects of
// package wait.
//
//	rt := stackful.New(stackful.Config{})
//	defer rt.Close()
//	jobs := wait.NewChan[int](0)
//	rt.Go("producer", func(f *stackful.Fiber) (any, error) {
//		defer stackful.Close(f, jobs)
//		return nil, stackful.Send(f, jobs, 42)
//	})
//	err := rt.Run(ctx)
//
// A blocking call ends in one of four ways: with what was waited for, with ErrTimeout at its
// deadline, with an *Interrupt when the fiber is cancelled or killed, or with a typed error of
// the object. X waits without a limit, XUntil has a deadline, TryX does not wait. A cancelled
// fiber gets one *Interrupt and may block again while it cleans up. A killed fiber gets an
// *Interrupt from every call except those that release something to other fibers (Close, Unlock,
// RUnlock, Release, Signal, Broadcast). If it continues all the same, its stack is unwound, and
// its deferred calls run.
//
// The error of an object names the object and the line of the call. A report has the line that
// each fiber has reached. These are lines of Go, unless Config.Site gives those of a guest.
//
// What a fiber holds when it ends is settled by the object: a lock is poisoned or handed on,
// permits are returned, and the run of a Once that was not finished passes to the next fiber
// that waits for it.
//
// All fibers that were spawned through a Scope have ended when Fiber.Scope returns. By default
// the first failure cancels the others.
//
// A panic or a runtime.Goexit in a fiber ends that fiber and is reported with its Go
// stack; it reaches neither the scheduler nor its goroutine.
//
// What it never does: run two fibers at once, keep a goroutine after Close, or let a
// function of one fiber act as another.
package stackful
