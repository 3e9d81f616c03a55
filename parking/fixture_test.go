package parking_test

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// code is guest code: instructions, each of which may wait. It is a fiber's payload and a callee.
type code struct {
	vm    *vm
	steps []step
	then  func(fiber.Ticket) // continues an instruction that has waited
}

type step func(c *code) fiber.Outcome

// vm is a host's machine whose instructions are functions.
type vm struct {
	*scheduler.Scheduler[*code]
	t      *testing.T
	native *parking.Machine[*code]
	frames bool // of fibers that are spawned
	log    []string
}

func newVM(t *testing.T, cfg scheduler.Config) *vm {
	m := &vm{t: t}
	cfg.Site = func(id fiber.RegularID) string { return "guest of " + id.String() }
	m.Scheduler = scheduler.New[*code](cfg)
	m.native = parking.New(m.Scheduler, m)
	t.Cleanup(m.native.Close)
	return m
}

func (m *vm) Resume(_ *scheduler.Scheduler[*code], f *scheduler.Fiber[*code]) fiber.Outcome {
	return f.Data.Step()
}

// Step runs guest code for a slice.
func (c *code) Step() fiber.Outcome {
	if then := c.then; then != nil {
		ticket, result := c.vm.Claim()
		c.then = nil
		if result.Code == fiber.Cancelled {
			return c.vm.Unwind().Stop("guest")
		}
		then(ticket)
	}
	if code, _ := c.vm.TakeInterrupt(); code != fiber.Pending {
		return c.vm.Unwind().Stop("guest")
	}
	for len(c.steps) > 0 {
		do := c.steps[0]
		c.steps = c.steps[1:]
		if o := do(c); o.Kind != 0 {
			return o
		}
	}
	return fiber.Outcome{Kind: fiber.Done}
}

// main is the code of a fiber, and of a callee.
func (m *vm) code(steps ...step) *code { return &code{vm: m, steps: steps} }

func (m *vm) spawn(steps ...step) (fiber.RegularID, *error) {
	ended := new(error)
	id, err := m.SpawnWith(m.code(steps...), scheduler.Options{Frames: m.frames, Ended: func(_ any, err error) { *ended = err }})
	require.NoError(m.t, err)
	return id, ended
}

func (m *vm) run() error { return m.Run(m.t.Context(), m.native) }

// say logs when it runs.
func say(text string) step {
	return func(c *code) fiber.Outcome {
		c.vm.log = append(c.vm.log, fmt.Sprint(c.vm.Now(), " ", text))
		return fiber.Outcome{}
	}
}

func yield(*code) fiber.Outcome { return fiber.Outcome{Kind: fiber.TimesliceExpired} }

func sleep(until fiber.Time) step {
	return func(c *code) fiber.Outcome {
		c.then = func(fiber.Ticket) {}
		return fiber.BlockOn(fiber.Until(until))
	}
}

func recv(ch *wait.Chan[int]) step {
	return func(c *code) fiber.Outcome {
		if _, status, wake := ch.TryRecv(); status == wait.Received {
			c.vm.Apply(wake)
			return fiber.Outcome{}
		}
		_ = ch.ParkRecv(c.vm.ArmOn(ch.Source()), 0)
		c.then = func(t fiber.Ticket) { ch.Collect(t) }
		return fiber.Outcome{Kind: fiber.Block}
	}
}

func send(ch *wait.Chan[int]) step {
	return func(c *code) fiber.Outcome {
		if ok, wake, _ := ch.TrySend(1); ok {
			c.vm.Apply(wake)
			return fiber.Outcome{}
		}
		_ = ch.ParkSend(c.vm.ArmOn(ch.Source()), 1, 0)
		c.then = func(fiber.Ticket) {}
		return fiber.Outcome{Kind: fiber.Block}
	}
}

// call runs native code that calls the guest once for each callee, as a sort calls its comparison.
func call(callees ...[]step) step {
	return func(c *code) fiber.Outcome {
		return c.vm.native.Run(func() fiber.Outcome {
			for _, steps := range callees {
				if err := c.vm.native.Call(c.vm.code(steps...)); err != nil {
					return c.vm.Unwind().Fail(err, "native")
				}
			}
			return fiber.Outcome{}
		})
	}
}
