package scheduler

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/wait"
)

// toyVM is a small host that makes no mistake, but for the one that wrong names. Its fibers have a
// program, whose instructions are the lines of toy.vm.
type toyVM struct {
	*Scheduler[*toyFiber]
	ch, other wait.Chan[int]
	wrong     string
	notes     []string
}

type toyFiber struct {
	id      fiber.RegularID
	program []string
	pc      int
	then    func(fiber.Ticket) // continues an instruction that has waited
}

// newToyVM spawns a fiber for each program, whose instructions are separated by spaces.
func newToyVM(t *testing.T, wrong string, programs ...string) *toyVM {
	m := &toyVM{wrong: wrong}
	m.Scheduler = New[*toyFiber](Config{Site: func(id fiber.RegularID) string {
		f, _ := m.Fiber(id)
		return fmt.Sprintf("toy.vm:%d", f.Data.pc)
	}})
	for _, program := range programs {
		st := &toyFiber{program: strings.Fields(program)}
		id, err := m.SpawnWith(st, Options{Name: st.program[0], Ended: func(_ any, err error) {
			if err != nil {
				m.note(st, err.Error())
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		st.id = id
	}
	return m
}

// runs runs until the run ends without a Go panic, and returns the refusals up to their history, and
// what the last run ended with. After each refusal the scheduler is in order.
func (m *toyVM) runs(t *testing.T) (refusals []string, end string) {
	t.Helper()
	for {
		var err error
		e := refusal(func() { err = m.Run(t.Context(), m) })
		m.Inspect().Verify()
		if e == nil && err != nil {
			return refusals, err.Error()
		}
		if e == nil {
			return refusals, ""
		}
		text, _, _ := strings.Cut(e.Error(), "\n\trecent:")
		refusals = append(refusals, text)
	}
}

func (m *toyVM) note(st *toyFiber, text string) {
	m.notes = append(m.notes, fmt.Sprintf("%s: %s", st.program[0], text))
}

func (m *toyVM) Resume(_ *Scheduler[*toyFiber], f *Fiber[*toyFiber]) fiber.Outcome {
	st := f.Data
	if then := st.then; then != nil {
		st.then = nil
		var ticket fiber.Ticket
		var result fiber.Result
		if m.wrong != "claim" {
			ticket, result = m.Claim()
		}
		if result.Code == fiber.Cancelled {
			m.SetResult(nil, m.Unwind().Cause(m.Current()))
			return done
		}
		then(ticket)
	}
	for st.pc < len(st.program) {
		st.pc++
		if out := m.step(st, st.program[st.pc-1]); out.Kind != 0 {
			return out
		}
	}
	return done
}

func (m *toyVM) step(st *toyFiber, instruction string) (out fiber.Outcome) {
	switch instruction {
	case "yield":
		out.Kind = fiber.TimesliceExpired
	case "end":
		return done
	case "sleep":
		st.then = func(fiber.Ticket) {}
		return fiber.BlockOn(fiber.Until(m.Now() + 5))
	case "recv":
		return m.recv(st)
	case "select":
		return m.choose(st)
	case "send":
		return m.send(st)
	case "goes-on":
		m.note(st, "goes on")
	case "fail":
		return m.fail(st)
	}
	return out
}

func (m *toyVM) recv(st *toyFiber) fiber.Outcome {
	v, status, wake := m.ch.TryRecv()
	if status == wait.Received {
		if m.wrong != "apply" {
			m.Apply(wake)
		}
		m.note(st, fmt.Sprint(v))
		return fiber.Outcome{}
	}
	st.then = func(t fiber.Ticket) {
		v, ok := m.ch.Collect(t)
		m.note(st, fmt.Sprint(v, ok))
	}
	switch m.wrong {
	case "park":
		m.ArmOn(m.ch.Source())
	case "park in it":
		_ = m.other.ParkRecv(m.ArmOn(m.ch.Source()), 0)
	default:
		_ = m.ch.ParkRecv(m.ArmOn(m.ch.Source()), 0)
	}
	return fiber.Outcome{Kind: fiber.Block}
}

// choose is a select that nothing is ready for.
func (m *toyVM) choose(st *toyFiber) fiber.Outcome {
	s := wait.NewSelect(wait.RecvFrom(&m.ch), wait.RecvFrom(&m.other))
	ticket := m.Arm(fiber.OnQueue(), s.Sources(nil)...)
	if m.wrong != "park" {
		_ = s.Park(ticket)
	}
	st.then = func(fiber.Ticket) {}
	return fiber.Outcome{Kind: fiber.Block}
}

func (m *toyVM) send(st *toyFiber) fiber.Outcome {
	if ok, wake, _ := m.ch.TrySend(7); ok {
		if m.wrong != "apply" {
			m.Apply(wake)
		}
		return fiber.Outcome{}
	}
	_ = m.ch.ParkSend(m.ArmOn(m.ch.Source()), 7, 0)
	st.then = func(fiber.Ticket) {}
	return fiber.Outcome{Kind: fiber.Block}
}

func (m *toyVM) fail(st *toyFiber) fiber.Outcome {
	if m.wrong == "a panic" {
		return panicked
	}
	m.Unwind().BeginPanic(panicstate.Recoverable, errors.New("division by zero"), fmt.Sprintf("toy.vm:%d", st.pc))
	if m.wrong != "NextDefer" {
		m.Unwind().Panics().NextDefer()
	}
	return panicked
}
