// Package parking gives a fiber of any payload a native stack that can park: native code, which is
// Go code, runs on it, calls the guest synchronously, and while the guest waits the stack is
// suspended with all its frames. Other fibers run meanwhile, also their native code, in any order:
// crossing waits of two calls harm neither.
//
// A host wraps its machine, runs native code by Run, and calls the guest back by Call:
//
//	m.native = parking.New(s, m)
//	err := s.Run(ctx, m.native)
//
//	// in Machine.Resume, at the instruction that calls a native function:
//	return m.native.Run(func() fiber.Outcome {
//		err := m.native.Call(callee) // as often as it likes
//		...
//		return fiber.Outcome{} // the guest's code continues behind the instruction
//	})
//
// A kill lets the native frames of a call unwind. Native code that waits itself (Suspend), outside a
// call, needs a fiber that was spawned with scheduler.Options.Frames for that.
//
// The table this package owns: which fiber has native code on a stack. A fiber that has none costs
// one look at a slice for each time slice. A stack is a goroutine that is parked (internal/stack);
// a bounded number of them is kept for use again.
//
// What it never does: schedule, decide which fiber to wake, or swallow a panic: a Go panic of native
// code leaves the scheduler's Run as one of Resume does.
package parking
