// Package trampoline makes synchronous calls from native code back into fibers: what JIT
// output, wasm or C does when it calls a function of the guest.
//
// A call is a trampoline: a separate context above the root of the fiber and the calls it is
// already in. It can wait as a fiber can, in one of three ways behind one type Call
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
// The fiber and its stack decide the way: a fiber spawned with scheduler.Options.Nests nests;
// any other parks if Enter is given a Stack, and exits if it is not. Enter refuses a stack that
// allows neither at this point with ErrForeignStack, and changes nothing.
//
//	call, err := calls.Enter(stack)
//	if err != nil {
//		return status(err)
//	}
//	_, err = call.Run(callee) // Step, wait, Step, … until the callee has ended
//	return status(err)
//
// A callee that panics ends its call. The value, with its generation, is the caller's
// panic from then on, in the caller's machine: its own deferred calls run and may recover
// (I7). The rest of the callee's unwinding is not visible there. A Go panic that passes
// through Run releases the trampoline and continues unchanged.
//
// What this package owns is the list of calls in flight: every one that was entered and
// has not been left. The pool of trampolines behind it is the scheduler's, bounded by
// Config.MaxTrampolines; entering and leaving take constant time and, once a slot has been
// used, no memory.
//
// What it never does: suspend native frames itself, decide which fiber to wake, run two fibers
// at once, or swallow a panic.
package trampoline
