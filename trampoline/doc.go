// Package trampoline makes synchronous calls from native code back into fibers: what JIT
// output, wasm or C does when it calls a function of the guest.
//
// A call is a trampoline: a separate context above the root of the fiber and the calls it is
// already in. It can wait as a fiber can, in one of three ways
// (docs/design.md#trampolines):
//
//	way             the native frames           the call waits                    its slice is used up
//	ExitAndReenter  none: native code returns   Run returns, native code exits,   the same
//	                an exit code and is         is re-entered, calls Run again
//	                entered again
//	Parking         stand on a stack of their   the stack is suspended with all   the same; the root
//	                own (the Stack given)       its frames                        yields
//	Nesting         stand on the stack that     other fibers run above them       others run for
//	                drives the scheduler        until it may go on                one turn
//
// The author of the native code names the way, by the call that he writes:
//
//	err := calls.Park(stack, callee)   // native frames on a stack that parks (package parking)
//	err := calls.Nest(callee)          // native frames on the stack that drives the scheduler
//	if err != nil {
//		return s.Unwind().Fail(err, site) // goes on with the callee's panic
//	}
//
//	call, err := calls.Reenter()       // no native frames: keep call, and
//	o, err := call.Run(callee)         // each time native code is entered
//	if !o.Ends() {
//		return o
//	}
//
// A way that does not fit the fiber (scheduler.Options.Nests) is refused by name at the
// call. A stack that allows neither way at this point gives ErrForeignStack, and changes nothing.
//
// A callee that panics ends its call. The value, with its generation, is the caller's
// panic from then on, in the caller's machine: its own deferred calls run and may recover
// (I7). The rest of the callee's unwinding is not visible there. A Go panic that passes
// through a call releases the trampoline and continues unchanged.
//
// What this package owns is the list of calls in flight: every one that was entered and
// has not been left. The pool of trampolines behind it is the scheduler's, bounded by
// Config.MaxTrampolines; entering and leaving take constant time and, once a slot has been
// used, no memory.
//
// What it never does: suspend native frames itself, decide which fiber to wake, run two fibers
// at once, or swallow a panic.
package trampoline
