package scheduler

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// warmUp leaves in a scheduler what makes its operations cheap: native calls that are free,
// a free record, a source at hand.
func (g *testScheduler) warmUp(free int) {
	g.spawnRunning(Options{Name: "was here before"})
	var calls []fiber.TrampolineID
	for range free {
		calls = append(calls, g.call())
	}
	for i := range calls {
		g.ReleaseTrampoline(calls[len(calls)-1-i])
	}
	g.KillCurrent()
}

// A fast path that free records make possible refuses what the slow path refuses.
func TestReusedRecordsDoNotChangeWhatIsRefused(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(attemptTable)) {
		cells := strings.Fields(line)
		d, known := attempts[cells[0]]
		if !known {
			continue
		}
		for column, want := range cells[1:] {
			s := startStates[column]
			t.Run(cells[0]+"/"+s.name, func(t *testing.T) {
				checkAttempt(t, d, startState{s.name, func(g *testScheduler) fiber.TrampolineID {
					g.warmUp(3)
					top := s.set(g)
					if id := g.Current(); id != 0 {
						_ = g.Attachments().SetName(id, "has a record")
					}
					return top
				}}, want)
			})
		}
	}
}

// A native call cannot begin where a panic waits for its next deferred call, in whichever
// member of the chain; and is refused with its reason to a fiber that has to unwind.
func TestANativeCallBeginsWhereGuestCodeRunsAndNowhereElse(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name   string
		set    func(g *testScheduler)
		broken bool
		err    error
	}{
		{"calm", func(g *testScheduler) {}, false, nil},
		{"has a panic machine", func(g *testScheduler) { g.Unwind().Panics() }, false, nil},
		{"unwinds", func(g *testScheduler) { g.Unwind().BeginPanic(panicstate.Recoverable, 1, "") }, true, nil},
		{"has unwound", func(g *testScheduler) {
			g.Unwind().BeginPanic(panicstate.Recoverable, 1, "")
			g.Unwind().Panics().NextDefer()
		}, true, nil},
		{"runs a deferred call", func(g *testScheduler) {
			g.Unwind().Panics().Defer(1, "clean up")
			g.Unwind().BeginPanic(panicstate.Recoverable, 1, "")
			g.Unwind().Panics().NextDefer()
		}, false, nil},
		{"is killed", func(g *testScheduler) { g.Kill(g.Current(), boom) }, false, ErrKilled},
		{"has a Fatal panic", func(g *testScheduler) { g.Unwind().BeginPanic(panicstate.Fatal, boom, "") }, false, boom},
	} {
		for depth, where := range []string{"the fiber", "its call", "the call of its call"} {
			t.Run(where+" "+c.name, func(t *testing.T) {
				g := newTestScheduler(t, Config{})
				g.warmUp(4)
				g.spawnRunning(Options{Name: "has a record", Frames: true})
				for range depth {
					g.call()
				}
				c.set(g)
				if c.broken {
					g.refuses("I7", op.Acquire, func() { g.call() })
					return
				}
				before := g.Inspect().Dump()
				id, err := g.AcquireTrampoline()
				if !errors.Is(err, c.err) || (err == nil) != (id != 0) {
					t.Fatalf("%v, %v", id, err)
				}
				if err != nil && g.Inspect().Dump() != before {
					t.Fatal("the refusal changed something")
				}
				if err == nil && g.Inspect().Executing() != id.ID() {
					t.Fatalf("%v executes, not %v", g.Inspect().Executing(), id)
				}
			})
		}
	}
}
