package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// state is a fiber's payload: its complete state while it does not run.
type state struct {
	pc, acc, count int
	then           func(fiber.Ticket) // continues an instruction that has waited
}

// toy is the machine: what its fibers share.
type toy struct {
	*scheduler.Scheduler[state]
	code []string
	ch   wait.Chan[int]
	out  io.Writer
}

// Resume runs a fiber for a slice.
func (m *toy) Resume(_ *scheduler.Scheduler[state], f *scheduler.Fiber[state]) fiber.Outcome {
	if then := f.Data.then; then != nil {
		ticket, result := m.Claim()
		if result.Code == fiber.Cancelled {
			return m.Unwind().Stop(f.Data.site())
		}
		f.Data.then = nil
		then(ticket)
	}
	if code, _ := m.TakeInterrupt(); code != fiber.Pending {
		return m.Unwind().Stop(f.Data.site())
	}
	for range m.Inspect().Budget() {
		if out := m.step(&f.Data); out.Kind != 0 {
			return out
		}
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

// step executes one instruction, a word and a number. The zero Outcome means to continue.
func (m *toy) step(st *state) (out fiber.Outcome) {
	if st.pc < 0 || st.pc >= len(m.code) {
		return m.fail(st, "the program has no such line")
	}
	var word string
	var n int
	_, _ = fmt.Sscan(m.code[st.pc], &word, &n) // an instruction without a number has 0
	st.pc++
	switch word {
	case "count":
		st.count = n
	case "loop":
		if st.count--; st.count > 0 {
			st.pc = n - 1
		}
	case "print":
		_, _ = fmt.Fprintln(m.out, m.Now(), st.acc)
	case "go":
		if _, err := m.Spawn(state{pc: n - 1}); err != nil {
			return m.fail(st, err.Error()) // too many fibers
		}
	case "yield":
		out.Kind = fiber.TimesliceExpired
	case "sleep":
		st.then = func(fiber.Ticket) {}
		out = fiber.BlockOn(fiber.Until(m.Now() + fiber.Time(n)*fiber.Time(time.Millisecond)))
	case "recv":
		return m.recv(st)
	case "send":
		return m.send(st)
	case "divide":
		return m.divide(st)
	case "end":
		out.Kind = fiber.Done
	default:
		return m.fail(st, "no instruction: "+word)
	}
	return out
}

func (m *toy) recv(st *state) fiber.Outcome {
	v, status, wake := m.ch.TryRecv() // try
	if status == wait.Received {
		m.Apply(wake) // wakes the sender that was waiting
		st.acc = v
		return fiber.Outcome{}
	}
	_ = m.ch.ParkRecv(m.ArmOn(m.ch.Source()), 0)                   // arm, park
	st.then = func(t fiber.Ticket) { st.acc, _ = m.ch.Collect(t) } // claimed in Resume
	return fiber.Outcome{Kind: fiber.Block}
}

func (m *toy) send(st *state) fiber.Outcome {
	if ok, wake, _ := m.ch.TrySend(st.count); ok {
		m.Apply(wake) // wakes the receiver that got the value
		return fiber.Outcome{}
	}
	_ = m.ch.ParkSend(m.ArmOn(m.ch.Source()), st.count, 0)
	st.then = func(fiber.Ticket) {}
	return fiber.Outcome{Kind: fiber.Block}
}

func (m *toy) divide(st *state) fiber.Outcome {
	if st.count == 0 {
		return m.fail(st, "division by zero")
	}
	st.acc /= st.count
	return fiber.Outcome{}
}

// fail is a panic of the guest.
func (m *toy) fail(st *state, why string) fiber.Outcome {
	return m.Unwind().Fail(errors.New(why), st.site())
}

func (st *state) site() string { return fmt.Sprintf("program.txt:%d", st.pc) }

//go:embed program.txt
var program string

// newToy makes a machine for a program.
func newToy(program string, out io.Writer) *toy {
	m := &toy{code: strings.Split(program, "\n"), out: out}
	m.Scheduler = scheduler.New[state](scheduler.Config{
		Budget: 100,
		Site: func(id fiber.RegularID) string {
			f, _ := m.Fiber(id)
			return f.Data.site()
		},
		Unobserved: func(err *scheduler.UnobservedError) { _, _ = fmt.Fprintln(out, err) },
	})
	return m
}

// run runs a program; its main fiber starts at line 1.
func run(program string, out io.Writer) error {
	m := newToy(program, out)
	if _, err := m.SpawnWith(state{}, scheduler.Options{Main: true}); err != nil {
		return err
	}
	return m.Run(context.Background(), m)
}

func main() {
	if err := run(program, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
