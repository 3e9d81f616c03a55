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
// Every blocking call has the same four ends: what was waited for, ErrTimeout at the
// deadline it was given, *Interrupt when the fiber is cancelled or killed, and a typed
// error of the object. X waits as long as it takes, XUntil has a deadline, TryX does not
// wait. A cancelled fiber is told once and may block again while it cleans up; a killed
// one is refused everything but what gives to others (Close, Unlock, RUnlock, Release,
// Signal, Broadcast) and, if it goes on all the same, its stack is unwound with its
// defers running.
//
// The error of an object names it and the line of the call, and a report the line that each
// fiber has reached: lines of Go, unless Config.Site tells those of a guest.
//
// What a fiber holds when it ends is dealt with as the object says: a lock is poisoned
// or handed on, permits go back, a thing to be done once is for the next to do.
//
// What is spawned through a Scope has ended when Fiber.Scope returns; the first failure has
// the others cancelled.
//
// A panic or a runtime.Goexit in a fiber ends that fiber and is reported with its Go
// stack; it reaches neither the scheduler nor its goroutine.
//
// What it never does: run two fibers at once, keep a goroutine after Close, or let a
// function of one fiber act as another.
package stackful
