package scheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestAPumpComesBackAsSoonAsItsCallMayGoOn(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	var ticket fiber.Ticket
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.OnQueue(), func(t fiber.Ticket) { ticket = t })
			p.note("woken with %v, %v", code, err)
		})
	})
	p.spawnReady(Options{}, func() { p.note("wakes: %v", p.Deliver(ticket, ok)) })
	p.spawnReady(Options{}, func() { p.note("has time") })
	p.run()
	p.wantNotes("wakes: woken", "woken with ok, <nil>", "has time")
}

// Each fiber pumps on top of the one before; they are woken from the top down.
func TestPumpsNestToTheLimitAndAllComeBack(t *testing.T) {
	const depth = defaultMaxNesting
	p := newPumpScheduler(t, Config{})
	var tickets []fiber.Ticket
	for n := range depth + 1 {
		p.spawnReady(Options{}, func() {
			if n == depth {
				_, err := p.AcquireTrampoline()
				if !errors.Is(err, ErrTooDeep) {
					t.Errorf("one call more: %v", err)
				}
				p.Deliver(tickets[n-1], ok)
				return
			}
			p.call(func(fiber.TrampolineID) {
				code, err := p.wait(fiber.OnQueue(), func(t fiber.Ticket) { tickets = append(tickets, t) })
				if code != fiber.OK || err != nil {
					t.Errorf("call %d ended with %v, %v", n, code, err)
				}
				if n > 0 {
					p.Deliver(tickets[n-1], ok)
				}
			})
		})
	}
	p.run()
}

func TestAPumpServesTimersCompletionsAndOtherGoroutines(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	p.spawnReady(Options{}, func() {
		tok, err := p.Ops().Submit()
		if err != nil {
			t.Fatal(err)
		}
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.Until(5), nil)
			p.note("timer: %v, %v at %v", code, err, p.Now())
			code, err = p.wait(fiber.OnQueue().WithDeadline(9), nil)
			p.note("deadline: %v, %v at %v", code, err, p.Now())
			code, err = p.wait(fiber.OnQueue().FromOutside(), func(ticket fiber.Ticket) {
				go p.Inbox().Deliver(ticket, ok)
			})
			p.note("another goroutine: %v, %v", code, err)
			cell := new(ioqueue.Cell)
			if err := p.Ops().Attach(tok, cell); err != nil {
				t.Error(err)
			}
			ticket := p.Arm(fiber.OnQueue(), cell.Source())
			if err := cell.Park(ticket, 0); err != nil {
				t.Error(err)
			}
			go p.Inbox().Complete(tok, ioqueue.Completion{Value: "read"})
			p.Block()
			if err := p.Calls().Pump(p); err != nil {
				t.Error(err)
			}
			_, result := p.Claim()
			p.note("completion: %v", result.Code)
		})
	})
	p.run()
	p.wantNotes("timer: ok, <nil> at 5ns", "deadline: timeout, <nil> at 9ns", "another goroutine: ok, <nil>", "completion: ok")
}

func TestAPeerThatPanicsUnderAPumpEndsAloneAndIsReported(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	var ended error
	peer := Options{Ended: func(_ any, err error) { ended = err }}
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.Until(1), nil)
			p.note("the caller: %v, %v", code, err)
		})
	})
	id := p.spawnReady(peer, nil)
	f, _ := p.Fiber(id)
	f.Data = func() fiber.Outcome { p.SetResult(nil, errWhy); return panicked }
	p.run()
	p.wantNotes("the caller: ok, <nil>")
	if !errors.Is(ended, errWhy) {
		t.Fatalf("the peer ended with %v", ended)
	}
}

// A Go panic of the host under a pump is not swallowed. It ends the fiber that was being
// resumed, and every frame it passes on its way finds its own fiber current.
func TestAHostThatPanicsUnderAPumpLeavesTheSchedulerInOrder(t *testing.T) {
	for name, explode := range map[string]func(p *pumpScheduler){
		"in a slice":        func(*pumpScheduler) { panic("boom") },
		"in a native call":  func(p *pumpScheduler) { p.call(func(fiber.TrampolineID) { panic("boom") }) },
		"with a wait armed": func(p *pumpScheduler) { p.Arm(fiber.OnQueue().WithDeadline(9)); panic("boom") },
		"two pumps deep":    func(p *pumpScheduler) { p.call(func(fiber.TrampolineID) { p.explodeAbove() }) },
		"in a turn of a pump": func(p *pumpScheduler) {
			p.call(func(fiber.TrampolineID) {
				p.spawnReady(Options{}, func() { panic("boom") })
				p.Calls().PumpTurn(p)
			})
		},
		"in a command":       func(p *pumpScheduler) { p.Inbox().Do(func() { panic("boom") }) },
		"after it has ended": func(p *pumpScheduler) { p.KillCurrent(); panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPumpScheduler(t, Config{})
			var ended error
			p.spawnReady(Options{Ended: func(_ any, err error) { ended = err }}, func() {
				defer func() { p.note("the caller is current: %v", p.Inspect().Executing() == p.Current()) }()
				p.call(func(id fiber.TrampolineID) {
					defer func() { p.note("the call executes: %v", p.Inspect().Executing() == id.ID()) }()
					p.wait(fiber.OnQueue(), nil)
				})
			})
			p.spawnReady(Options{}, func() { explode(p) })
			if value := p.panicOfRun(); value != "boom" {
				t.Fatalf("the run panicked with %v", value)
			}
			p.wantNotes("the call executes: true", "the caller is current: true")
			p.Inspect().Verify()
			if p.Current() != 0 || p.Inspect().LiveTrampolines() != 0 || !errors.As(ended, new(*PanicError)) {
				t.Fatalf("%v is current, %d calls are left, the caller ended with %v", p.Current(), p.Inspect().LiveTrampolines(), ended)
			}
			p.run()
		})
	}
}

// explodeAbove waits, and has the fiber that the pump then runs panic.
func (p *pumpScheduler) explodeAbove() {
	p.spawnReady(Options{}, func() { panic("boom") })
	p.wait(fiber.OnQueue(), nil)
}

func (p *pumpScheduler) panicOfRun() (value any) {
	defer func() { value = recover() }()
	p.t.Errorf("the run ended with %v", p.Run(context.Background(), p))
	return nil
}

func TestAPeerThatTheHostPanickedInTellsWithWhat(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	cause := errors.New("host's mistake")
	var ended error
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) { p.wait(fiber.OnQueue(), nil) })
	})
	p.spawnReady(Options{Ended: func(_ any, err error) { ended = err }}, func() { panic(cause) })
	if value := p.panicOfRun(); value != cause || !errors.Is(ended, cause) {
		t.Fatalf("the run panicked with %v, the fiber ended with %v", value, ended)
	}
}

func TestBudgetExpiryUnderAPumpIsOneTurnForTheOthers(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			for slice := range 3 {
				p.note("slice %d at %v", slice, p.Now())
				p.Inbox().Do(func() { p.note("served") })
				p.Calls().PumpTurn(p)
			}
		})
	})
	for n := range 20 {
		p.spawnReady(Options{}, func() {
			if n%10 == 0 {
				p.note("peer %d", n)
			}
		})
	}
	p.run()
	p.wantNotes("slice 0 at 0s", "served", "peer 0", "peer 10", "slice 1 at 0s", "served", "slice 2 at 0s", "served")
}

// waitHookClock is a clock that does something else instead of parking the loop.
type waitHookClock struct {
	*VirtualClock
	instead func()
}

func (c waitHookClock) Wait(context.Context, fiber.Time, <-chan struct{}) { c.instead() }

func TestEveryEndOfARunUnwindsPinnedCallersToo(t *testing.T) {
	for name, end := range map[string]func(p *pumpScheduler, cancel func()){
		"the main fiber returns":          func(*pumpScheduler, func()) {},
		"the context ends":                func(_ *pumpScheduler, cancel func()) { cancel() },
		"the context ends while it parks": func(p *pumpScheduler, _ func()) { p.Inbox().NewSender() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			p := newPumpScheduler(t, Config{Clock: waitHookClock{NewVirtualClock(), cancel}})
			for range 2 {
				p.spawnReady(Options{}, func() {
					p.call(func(fiber.TrampolineID) {
						code, err := p.wait(fiber.OnQueue(), nil)
						p.note("%v, %v", code, err)
					})
				})
			}
			p.spawnReady(Options{Main: strings.HasPrefix(name, "the main")}, func() { end(p, cancel) })
			p.spawnReady(Options{}, func() { p.note("ran after the end") })
			err := p.Run(ctx, p)
			if !errors.Is(err, ctx.Err()) || p.Inspect().Live() != 0 || p.Inspect().LiveTrampolines() != 0 {
				t.Fatalf("%v; %d fibers, %d calls alive", err, p.Inspect().Live(), p.Inspect().LiveTrampolines())
			}
			want := []string{"killed, <nil>", "killed, <nil>"}
			if strings.HasSuffix(name, "parks") { // ready fibers run before the loop parks
				want = slices.Insert(want, 0, "ran after the end")
			}
			p.wantNotes(want...)
		})
	}
}

// The wait-for edges of both pools count: a timer of a parked chain, an operation of a
// pinned one, keep a pump waiting.
func TestAPumpDeclaresNoDeadlockWhileEitherPoolCanBeWoken(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	var ticket fiber.Ticket
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.OnQueue(), func(t fiber.Ticket) { ticket = t })
			p.note("%v, %v at %v", code, err, p.Now())
		})
	})
	parks, err := p.SpawnWith(nil, Options{Frames: true})
	if err != nil {
		t.Fatal(err)
	}
	var inside fiber.TrampolineID
	f, _ := p.Fiber(parks)
	f.Data = func() fiber.Outcome {
		if inside == 0 {
			inside, _ = p.AcquireTrampoline()
			return fiber.BlockOn(fiber.Until(7)) // the only timer is a trampoline's
		}
		p.Deliver(ticket, ok)
		p.ReleaseTrampoline(inside)
		return done
	}
	p.run()
	p.wantNotes("ok, <nil> at 7ns")
}

func TestAPumpReportsAnInversionAndADeadlockApart(t *testing.T) {
	p := newPumpScheduler(t, Config{Site: func(id fiber.RegularID) string { return fmt.Sprint("line ", id.ID().Index()) }})
	var lower fiber.Ticket
	p.spawnReady(Options{Name: "below"}, func() {
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.OnQueue(), func(t fiber.Ticket) { lower = t })
			p.note("below: %v, %v", code, err)
			code, err = p.wait(fiber.OnQueue(), nil)
			var deadlock *DeadlockError
			p.note("below, alone: %v, deadlock %v", code, errors.As(err, &deadlock))
		})
	})
	p.spawnReady(Options{Name: "above"}, func() {
		p.call(func(id fiber.TrampolineID) {
			p.Deliver(lower, ok)
			code, err := p.wait(fiber.OnQueue(), nil)
			var inversion *StackInversionError
			if !errors.As(err, &inversion) || inversion.Below != lower.ID || inversion.Above != id.ID() {
				t.Errorf("above: %v", err)
			}
			for _, caller := range []string{`"below" at line 0 waits for its native call`, `"above" at line 1 waits for its native call`} {
				if !strings.Contains(err.Error(), caller) {
					t.Errorf("the report does not show %q:\n%v", caller, err)
				}
			}
			p.note("above: %v", code)
			if _, why := p.TakeInterrupt(); !errors.As(why, &inversion) || p.Unwind().UnwindCause() == nil {
				t.Errorf("the verdict does not stay in force: %v", why)
			}
		})
	})
	var first *StackInversionError
	if err := p.Run(t.Context(), p); !errors.As(err, &first) {
		t.Errorf("the run ended with %v", err)
	}
	p.wantNotes("above: killed", "below: ok, <nil>", "below, alone: killed, deadlock true")
}

// A fiber under a pump that leaves by runtime.Goexit takes the goroutine with it, as under
// Run; the scheduler is in order for the fibers that continue.
func TestGoexitUnderAPumpLeavesTheSchedulerInOrder(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	var caller, ended error
	p.spawnReady(Options{Ended: func(_ any, err error) { caller = err }}, func() {
		p.call(func(fiber.TrampolineID) { _, _ = p.wait(fiber.OnQueue(), nil) })
	})
	p.spawnReady(Options{Ended: func(_ any, err error) { ended = err }}, runtime.Goexit)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		t.Errorf("the run ended with %v", p.Run(context.Background(), p))
	}()
	<-gone
	p.Inspect().Verify()
	for name, err := range map[string]error{"peer": ended, "caller": caller} {
		if err == nil || !strings.Contains(err.Error(), "Goexit") {
			t.Errorf("the %s ended with %v", name, err)
		}
	}
	if p.Current() != 0 || p.Inspect().LiveTrampolines() != 0 {
		t.Fatalf("%v is current, %d calls are left", p.Current(), p.Inspect().LiveTrampolines())
	}
	p.run()
}

func TestRunIsRefusedWhereAPumpIsDue(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Nests: true})
	g.call()
	g.pin(fiber.OnQueue().FromOutside())
	g.refuses("NESTED-FRAMES", op.Pump, func() { _ = g.Run(context.Background(), countdown) })
}

// The main fiber of a run that a host drives itself ends that run for the host only.
func TestAHostThatOwnsItsLoopHasTurnsAfterTheMainFiberHasReturned(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	p.spawnReady(Options{Main: true}, func() {})
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) { p.Calls().PumpTurn(p) })
		p.note("had a turn given")
	})
	p.spawnReady(Options{}, func() { p.note("had it") })
	for p.Poll() {
		for p.Calls().slice(p) {
		}
	}
	p.wantNotes("had it", "had a turn given")
}
