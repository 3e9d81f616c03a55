package trampoline_test

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
	"github.com/stretchr/testify/assert"
)

// idle is a stack on which nothing waits.
type idle struct{}

func (idle) Allows(trampoline.Way) bool { return true }
func (idle) Park(fiber.Outcome)         {}

// Every way in every kind of fiber: it fits, or is refused at the call with what to do.
func TestAWayThatDoesNotFitItsFiberIsRefusedAtTheCall(t *testing.T) {
	callee := trampoline.CalleeFunc(func() fiber.Outcome { return done })
	calls := map[string]func(p *trampoline.Pool[int]) error{
		"park":                 func(p *trampoline.Pool[int]) error { return p.Park(idle{}, callee) },
		"park without a stack": func(p *trampoline.Pool[int]) error { return p.Park(nil, callee) },
		"nest":                 func(p *trampoline.Pool[int]) error { return p.Nest(callee) },
		"reenter": func(p *trampoline.Pool[int]) error {
			call, err := p.Reenter()
			if err == nil {
				_, err = call.Run(callee)
			}
			return err
		},
		"enter to reenter": func(p *trampoline.Pool[int]) error { _, err := p.Enter(trampoline.ExitAndReenter, nil); return err },
	}
	for _, c := range []struct {
		fiber   string
		options scheduler.Options
		refused map[string]string
	}{
		{"plain", scheduler.Options{}, map[string]string{
			"park without a stack": "no Stack", "nest": "was not spawned with Options.Nests", "enter to reenter": "call Reenter",
		}},
		{"frames", scheduler.Options{Frames: true}, map[string]string{
			"park without a stack": "package parking", "nest": "was not spawned with Options.Nests", "enter to reenter": "call Reenter",
		}},
		{"nests", scheduler.Options{Nests: true}, map[string]string{
			"park": "call Nest", "park without a stack": "call Nest", "reenter": "call Nest", "enter to reenter": "call Reenter",
		}},
	} {
		for name, call := range calls {
			s, p := solo(t, scheduler.Config{Site: func(fiber.RegularID) string { return "program:7" }}, c.options)
			err := func() (err error) {
				defer func() {
					if v := recover(); v != nil {
						err = v.(error)
					}
				}()
				return call(p)
			}()
			if want := c.refused[name]; want == "" {
				assert.NoError(t, err, "%s in a %s fiber", name, c.fiber)
			} else if assert.Error(t, err, "%s in a %s fiber", name, c.fiber) {
				assert.ErrorContains(t, err, want)
				assert.ErrorContains(t, err, "at program:7")
			}
			assert.NoError(t, p.Check())
			s.Inspect().Verify()
		}
	}
}
