package scheduler_test

import (
	"os"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
	"github.com/selvage-dev/selvage/wait"
)

// wrongHost is a host whose fibers are lists of slices; one of them makes a mistake.
type wrongHost struct {
	*scheduler.Scheduler[*slices]
	native *parking.Machine[*slices]
	ch     *wait.Chan[int]
}

type slices []slice

// slice is what a fiber does in one slice.
type slice func(m *wrongHost) fiber.Outcome

func ends(kind fiber.OutcomeKind) slice {
	return func(*wrongHost) fiber.Outcome { return fiber.Outcome{Kind: kind} }
}

// mistakesOfHosts are those of docs/host-your-vm/checklist.md, in its order.
func mistakesOfHosts() []mistakeOfHost {
	yields, done := ends(fiber.TimesliceExpired), ends(fiber.Done)
	recv := func(m *wrongHost) fiber.Outcome {
		_ = m.ch.ParkRecv(m.ArmOn(m.ch.Source()), 0)
		return fiber.Outcome{Kind: fiber.Block}
	}
	send := func(m *wrongHost) fiber.Outcome {
		_, w, _ := m.ch.TrySend(1)
		m.Apply(w)
		return fiber.Outcome{Kind: fiber.Done}
	}
	callee := trampoline.CalleeFunc(func() fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} })
	return []mistakeOfHost{
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			_ = m.ch.ParkRecv(m.ArmOn(m.ch.Source()), 0)
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}}}},
		{checked: true, fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			m.ArmOn(m.ch.Source())
			return fiber.Outcome{Kind: fiber.Block}
		}}}},
		{checked: true, fibers: []slices{{recv}, {yields, func(m *wrongHost) fiber.Outcome {
			_, _, _ = m.ch.TrySend(1)
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}}}},
		{checked: true, fibers: []slices{{recv, recv}, {yields, send}}},
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			other := scheduler.New[int](scheduler.Config{})
			_, _ = other.Spawn(0)
			_, _ = other.Poll(), other.ScheduleNext()
			other.ArmOn(m.ch.Source())
			m.ArmOn(m.ch.Source())
			return fiber.Outcome{Kind: fiber.Block}
		}}}},
		{fibers: []slices{{ends(fiber.Block)}}},
		{fibers: []slices{{ends(99)}}},
		{fibers: []slices{{ends(fiber.Panic)}}},
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			m.Unwind().BeginPanic(1, "division by zero", "line 7")
			return fiber.Outcome{Kind: fiber.Panic}
		}}}},
		{with: scheduler.Options{}, fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			_ = m.native.Call(callee)
			return fiber.Outcome{Kind: fiber.Done}
		}}}},
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			_ = m.native.Calls().Nest(callee)
			return fiber.Outcome{Kind: fiber.Done}
		}}}},
		{with: scheduler.Options{Nests: true}, fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			return m.native.Run(func() fiber.Outcome { _ = m.native.Call(callee); return fiber.Outcome{} })
		}}}},
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			_ = m.Cancel(m.Current(), nil)
			return m.native.Run(func() fiber.Outcome {
				_ = m.native.Call(trampoline.CalleeFunc(func() fiber.Outcome {
					m.TakeInterrupt()
					return fiber.Outcome{Kind: fiber.Done}
				}))
				return fiber.Outcome{}
			})
		}}}},
		{fibers: []slices{{func(m *wrongHost) fiber.Outcome {
			tok, _ := m.Ops().Submit()
			return m.native.Run(func() fiber.Outcome {
				_ = m.native.Call(trampoline.CalleeFunc(func() fiber.Outcome { return fiber.BlockOn(fiber.OnIO(tok)) }))
				return fiber.Outcome{}
			})
		}}}},
		{ended: func(m *wrongHost) { _, _ = m.Spawn(nil) }, fibers: []slices{{done}}},
		{ended: func(*wrongHost) { panic("oops") }, fibers: []slices{{done}}},
	}
}

type mistakeOfHost struct {
	checked bool // reported in the checked build only
	with    scheduler.Options
	fibers  []slices
	ended   func(m *wrongHost)
}

// message runs the host until it is refused.
func (row mistakeOfHost) message(t *testing.T) (text string) {
	m := &wrongHost{ch: wait.NewChan[int](0)}
	m.Scheduler = scheduler.New[*slices](scheduler.Config{Site: func(fiber.RegularID) string { return "guest:7" }})
	m.native = parking.New(m.Scheduler, m)
	for i := range row.fibers {
		o := row.with
		if row.ended != nil {
			o.Ended = func(any, error) { row.ended(m) }
		}
		if _, err := m.SpawnWith(&row.fibers[i], o); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err, refused := recover().(error); refused {
			text, _, _ = strings.Cut(err.Error(), "\n")
		}
	}()
	if err := m.Run(t.Context(), m.native); err != nil {
		return err.Error()
	}
	return "nothing"
}

func (m *wrongHost) Resume(_ *scheduler.Scheduler[*slices], f *scheduler.Fiber[*slices]) fiber.Outcome {
	rest := *f.Data
	if len(rest) == 0 {
		return fiber.Outcome{Kind: fiber.Done}
	}
	*f.Data = rest[1:]
	return rest[0](m)
}

// The checklist quotes the message of each mistake, without the lines that show the fiber.
func TestTheChecklistQuotesTheMessages(t *testing.T) {
	page, err := os.ReadFile("../docs/host-your-vm/checklist.md")
	if err != nil {
		t.Fatal(err)
	}
	quotes := strings.Split(string(page), "```text\n")[1:]
	for i, row := range mistakesOfHosts() {
		if row.checked && !invariants.On {
			continue
		}
		got := row.message(t)
		if i >= len(quotes) {
			t.Errorf("quote %d is missing:\n%s", i, got)
			continue
		}
		if quote, _, _ := strings.Cut(quotes[i], "\n```"); quote != got {
			t.Errorf("quote %d is\n%s\nand the message\n%s", i, quote, got)
		}
	}
	if n := len(mistakesOfHosts()); len(quotes) > n {
		t.Errorf("%d quotes, and %d mistakes", len(quotes), n)
	}
}
