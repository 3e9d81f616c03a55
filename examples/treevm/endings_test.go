package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errEnough = errors.New("enough")

// A fiber that the host ends does nothing behind its wait, and leaves nothing in what it waited for.
func TestAFiberThatIsCancelledOrKilledGoesNoFurther(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	for _, wait := range []string{
		"(recv c)", "(send c 1)", "(sleep 10)", "(yield)", "(while true)", "(http (nth args 0))",
		"(join (spawn (fn () (recv c))))",
		"(sort (list 2 1) (fn (a b) (recv c)))",
		"(sort (list 2 1) (fn (a b) (yield) 1))",
		"(sort (list 2 1) (fn (a b) (while true)))",
		"(sort (list 2 1) (fn (a b) (http (nth args 0))))",
		"(sort (list 2 1) (fn (a b) (sort (list 4 3) (fn (a b) (sleep 10) 1)) 1))",
		"(try (recv c) (fn (message) (print message)))",
	} {
		for _, when := range []string{"before its slice", "before it waits", "while it waits"} {
			for _, how := range []string{"cancelled", "killed"} {
				name := wait + ", " + how + " " + when
				var out bytes.Buffer
				vm := newMachine(scheduler.NewVirtualClock(), "p.lisp", []string{server.URL}, &out)
				main, err := vm.load("(define c (chan)) " + wait + " (print 1)")
				require.NoError(t, err)
				err = vm.Run(t.Context(), &ending{machine: vm, id: main.id.ID(), when: when, how: how})
				assert.ErrorIs(t, err, errEnough, name)
				assert.Equal(t, how == "killed", errors.Is(err, scheduler.ErrKilled), name)
				assert.Empty(t, out.String(), name)
				if c, is := vm.globals.vars["c"].(*channel); is {
					receivers, senders := c.Waiting()
					assert.Zero(t, receivers+senders, name)
				}
				vm.close(t.Context())
				assert.Zero(t, vm.Inspect().Live(), name)
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
		return e.native.Resume(s, f)
	}
	if e.when == "before its slice" {
		e.end()
	}
	out := e.native.Resume(s, f)
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
