package trampoline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// The same random callees, called in each of the three ways. Whether native code is left
// or suspended must make no difference at all: the same steps in the same order at the same
// instants. Where it stays on the stack callers may come later, but see the same.
func TestTheWayOfACallDoesNotChangeWhatItsCalleeSees(t *testing.T) {
	for seed := range uint64(200) {
		var whole [3]string
		var each [3][]string
		inEveryWay(t, scheduler.Config{}, func(r *fixture) {
			w := r.way - trampoline.ExitAndReenter
			whole[w], each[w] = r.perform(rand.New(rand.NewPCG(seed, 1)))
		})
		if whole[0] != whole[1] {
			t.Fatalf("seed %d: left and entered again:\n%ssuspended:\n%s", seed, whole[0], whole[1])
		}
		if !slices.Equal(each[0], each[2]) {
			t.Fatalf("seed %d: left and entered again:\n%q\nnested:\n%q", seed, each[0], each[2])
		}
	}
}

// perform runs a few callers, and gives the log of all and that of each, without instants.
func (r *fixture) perform(rng *rand.Rand) (whole string, each []string) {
	var log strings.Builder
	each = make([]string, 1+rng.IntN(4))
	for i := range each {
		note := func(format string, args ...any) {
			said := fmt.Sprintf(format, args...)
			fmt.Fprintf(&log, "%v: caller %d: %s\n", r.Now(), i, said)
			each[i] += said + "; "
		}
		var callee steps
		for k := range 1 + rng.IntN(6) {
			o := randomOutcome(rng)
			callee = append(callee, func() fiber.Outcome {
				_, res := r.Claim()
				note("step %d after %v", k, res.Code)
				return r.relative(o)
			})
		}
		if rng.IntN(2) == 0 {
			callee = append(callee, func() fiber.Outcome { return done })
		} else {
			callee = append(callee, func() fiber.Outcome {
				r.Unwind().BeginPanic(panicstate.Recoverable, i, "")
				r.Unwind().Panics().NextDefer()
				return failed
			})
		}
		r.spawn(&callee, func(err error) { note("ended with %v", err) })
	}
	r.run()
	return log.String(), each
}

// randomOutcome ends a step and no call. A wait is for a while, 0 for none.
func randomOutcome(rng *rand.Rand) fiber.Outcome {
	switch while := fiber.Time(rng.IntN(4)); rng.IntN(5) {
	case 0:
		return expired
	case 1:
		return fiber.Outcome{Kind: fiber.FrameChanged}
	case 2:
		return fiber.BlockOn(fiber.OnQueue().WithDeadline(while))
	default:
		return fiber.BlockOn(fiber.Until(while))
	}
}

// relative turns the length of a wait into the instant it ends at.
func (r *fixture) relative(o fiber.Outcome) fiber.Outcome {
	if o.Kind == fiber.Block {
		o.Reason.Deadline += r.Now()
	}
	return o
}
