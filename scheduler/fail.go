package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/panicstate"
)

// Fail ends the code of the executing context with a panic of the guest, and returns the Outcome
// for the host to return. It is BeginPanic, Recoverable, and the last NextDefer in one call, for a
// host that registers no deferred calls; with one left to run it is a contract error (PANIC-PHASE).
//
// Native code whose call into the guest has failed passes that failure on with Fail: whatever value
// it gives, the panic of the callee stays in force, with its value and site. An error that is the
// cause of a cancellation which the fiber has received, or wraps it, is passed on as by Stop.
func (f Unwind) Fail(value any, site string) fiber.Outcome {
	if err, ok := value.(error); ok && f.Cancelled() && wraps(err, f.Cause(f.core.Current())) {
		return f.Stop(site)
	}
	f.mustHaveNoDefers()
	f.BeginPanic(panicstate.Recoverable, value, site)
	return f.ended()
}

// Stop is Fail for a fiber that has received its cancellation, from Claim or TakeInterrupt, or is
// killed: its code ends with an Exit panic, whose value is the cause. No guest recovers it. As the
// code of a callee it ends the caller too, when native code passes it on; the fiber ends with the
// cause as its error. Without a cancellation or a kill it is a contract error (rule CALL-ORDER).
func (f Unwind) Stop(site string) fiber.Outcome {
	f.mustHaveNoDefers()
	cause := f.Cause(f.core.Current())
	if cause == nil {
		f.core.refuseAs(op.Panic, rule.CallOrder, "Stop, and the fiber is neither cancelled nor killed: call Fail for a failure of the guest")
	}
	f.BeginPanic(panicstate.Exit, cause, site)
	return f.ended()
}

// Cancelled reports whether the current fiber has received a cancellation: it has to unwind,
// and its waits are not interrupted meanwhile.
func (f Unwind) Cancelled() bool {
	s := f.core.reg.ext(f.core.cur)
	return s != nil && s.cancel == cancelTaken
}

func (f Unwind) mustHaveNoDefers() {
	if n := f.Panics().Pending(); n > 0 {
		f.core.refuseAs(op.Panic, rule.PanicPhase, "%d deferred calls are left to run: call BeginPanic, then run what Panics().NextDefer gives", n)
	}
}

// ended ends the code of a context that has no deferred call left.
func (f Unwind) ended() fiber.Outcome {
	f.Panics().NextDefer()
	return fiber.Outcome{Kind: fiber.Panic}
}
