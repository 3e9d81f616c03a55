package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errEnough = errors.New("enough")

// waits are functions that wait, as comparisons, and a main function whose channel is in r1 and
// whose list is in r3.
const waits = `
func recv
    r0 = chan
    recv r0
func yield
again:
    yield
    jump again
func spin
once:
    jump once
func http
    http %q
func sort
    r2 = list 4 3
    r2 = sort r2 recv
func main
    r1 = chan
    r3 = list 2 1
`

// A fiber that the host ends does nothing behind its wait, and leaves nothing in what it waited for.
func TestAFiberThatIsCancelledOrKilledGoesNoFurther(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	for _, wait := range []string{
		"recv r1", "send r1 1", "sleep 10", "yield", "loop:\njump loop", "http r0", "r2 = spawn recv r1\njoin r2",
		"r3 = sort r3 recv", "r3 = sort r3 yield", "r3 = sort r3 spin", "r3 = sort r3 http", "r3 = sort r3 sort",
	} {
		for _, when := range []string{"before its slice", "before it waits", "while it waits"} {
			for _, how := range []string{"cancelled", "killed"} {
				name := wait + ", " + how + " " + when
				var out bytes.Buffer
				vm := newMachine(scheduler.NewVirtualClock(), "p.reg", &out)
				program := fmt.Sprintf(waits, server.URL) + wait + "\nprint 1"
				main, err := vm.load(program, []string{server.URL})
				require.NoError(t, err)
				err = vm.Run(t.Context(), &ending{machine: vm, id: main.id.ID(), when: when, how: how})
				assert.ErrorIs(t, err, errEnough, name)
				assert.Equal(t, how == "killed", errors.Is(err, scheduler.ErrKilled), name)
				assert.Empty(t, out.String(), name)
				if c, is := main.regs[1].(*channel); is {
					receivers, senders := c.Waiting()
					assert.Zero(t, receivers+senders, name)
				}
				assert.Zero(t, vm.Inspect().Live(), name)
				assert.Zero(t, vm.Inspect().LiveTrampolines(), name)
				assert.NoError(t, vm.calls.Check(), name)
				assert.NoError(t, vm.work.Close(t.Context()), name)
			}
		}
	}
}

// ending is when and how the host ends a fiber.
type ending struct {
	*machine
	id        fiber.ID
	when, how string
}

// Resume is the machine's, with the end at its time.
func (e *ending) Resume(s *scheduler.Scheduler[*task], f *scheduler.Fiber[*task]) fiber.Outcome {
	if s.Current() != e.id {
		return e.machine.Resume(s, f)
	}
	if e.when == "before its slice" {
		e.end()
	}
	out := e.machine.Resume(s, f)
	switch e.when {
	case "before it waits":
		e.end()
	case "while it waits":
		_ = e.Inbox().Do(e.end)
	}
	return out
}

func (e *ending) end() {
	end := e.Cancel
	if e.how == "killed" {
		end = e.Kill
	}
	_ = end(e.id, errEnough) // it may have ended
}
