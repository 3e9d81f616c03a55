package scope

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

func TestACancelledScopeEndsWithTheCause(t *testing.T) {
	for cause, want := range map[error]error{errWhy: errWhy, nil: scheduler.ErrCancelled} {
		g := newStage(t, 0)
		s := g.open(Options{Name: "s"}, fiber.Never)
		asleep, caller := g.worker(s, "asleep"), g.worker(s, "caller")
		g.sleep(asleep)
		g.mount(caller)
		s.Cancel(cause)
		s.Cancel(errOther) // the first counts
		g.cancelled(s.Cause(), asleep, caller)
		g.ends(caller, nil, nil)
		g.obeys(asleep)
		_, err := g.closes(s)
		s.Cancel(errOther)
		s.Stop()
		c, alone := err.(*CancelError) // joined with nothing
		if !alone || c.Cause != want || err.Error() != `scope "s" was cancelled: `+want.Error() {
			t.Errorf("cancelled with %v: %v", cause, err)
		}
	}
}

func TestStopEndsTheOthersAndIsNoFailure(t *testing.T) {
	for name, c := range map[string]struct {
		then func(g *stage, s *Scope, caller fiber.ID)
		want error
	}{
		"and the caller ends well": {func(g *stage, _ *Scope, caller fiber.ID) { g.ends(caller, nil, nil) }, nil},
		"and the caller fails":     {func(g *stage, _ *Scope, caller fiber.ID) { g.ends(caller, nil, errWhy) }, errWhy},
		"and it is cancelled": {func(g *stage, s *Scope, caller fiber.ID) {
			s.Cancel(errWhy)
			g.cancelled(errWhy, caller)
			g.obeys(caller)
		}, errWhy},
		"and the deadline passes": {func(g *stage, s *Scope, caller fiber.ID) {
			g.sleep(caller)
			g.at(50)
			g.resumes(s, fiber.TimedOut)
			g.cancelled(ErrDeadline, caller)
			g.obeys(caller)
		}, ErrDeadline},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{}, 50)
			caller, other := g.worker(s, "caller"), g.worker(s, "other")
			g.waits(s)
			g.mount(caller)
			s.Stop()
			s.Stop()
			g.cancelled(ErrStopped, other)
			g.cancelled(nil, caller)
			c.then(g, s, caller)
			g.obeys(other)
			_, err := g.closes(s)
			g.fails(err, c.want)
		})
	}
}

func TestACancelledOwnerPassesTheCauseOnAndWaitsUntilItsFibersAreDead(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	one, two := g.worker(s, "one"), g.worker(s, "two")
	g.waits(s)
	g.must(g.Cancel(s.Owner(), errWhy))
	g.cancelled(nil, one, two)
	g.resumes(s, fiber.Cancelled)
	g.cancelled(errWhy, one, two)
	g.waits(s)
	g.obeys(one)
	g.must(g.Cancel(s.Owner(), errOther))
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.obeys(two)
	g.resumes(s, fiber.OK)
	_, err := g.closes(s)
	g.fails(err, errWhy)
}

func TestAMaskedOwnerShieldsItsScope(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	w := g.worker(s, "w")
	g.Unwind().Mask()
	g.waits(s)
	g.must(g.Cancel(s.Owner(), errWhy))
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.cancelled(nil, w)
	g.ends(w, nil, nil)
	g.resumes(s, fiber.OK)
	_, err := g.closes(s)
	g.must(err)
}

func TestTheDeadlineCancelsTheFibersOnce(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, 10)
	w := g.worker(s, "w")
	g.sleep(w)
	g.waits(s)
	g.at(10)
	g.resumes(s, fiber.TimedOut)
	g.cancelled(ErrDeadline, w)
	g.waits(s)
	g.at(20)
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.obeys(w)
	g.resumes(s, fiber.OK)
	_, err := g.closes(s)
	g.fails(err, ErrDeadline)
}

func TestWhatIsCancelledAndDoesNotEndIsKilledAfterTheGrace(t *testing.T) {
	g := newStage(t, 100)
	s := g.open(Options{}, fiber.Never)
	stubborn, bad := g.worker(s, "stubborn"), g.worker(s, "bad")
	g.waits(s)
	g.ends(bad, nil, errWhy)
	g.mount(stubborn)
	g.is("told", g.Arm(fiber.OnQueue()).IsZero(), false)
	g.is("block", g.Block(), scheduler.Interrupted)
	g.sleep(stubborn)
	g.at(99)
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.at(100)
	g.resumes(s, fiber.OK)
	_, err := g.closes(s)
	g.fails(err, errWhy)
	if errors.Is(err, scheduler.ErrKilled) {
		t.Errorf("the kill that its own cancel led to counts as a failure: %v", err)
	}
}

func TestTheFibersOfADeadOwnerAreKilledWithIt(t *testing.T) {
	for name, die := range map[string]func(g *stage, s *Scope){
		"killed waiting": func(g *stage, s *Scope) { g.waits(s); g.Kill(s.Owner(), nil) },
		"killed ready":   func(g *stage, s *Scope) { g.mount(s.Owner()); g.YieldCurrent(); g.Kill(s.Owner(), nil); g.Poll() },
		"killed running": func(g *stage, s *Scope) { g.mount(s.Owner()); g.Kill(s.Owner(), nil); g.KillCurrent() },
		"left":           func(g *stage, s *Scope) { g.ends(s.Owner(), nil, nil) },
		"killed after it was cancelled": func(g *stage, s *Scope) {
			g.waits(s)
			g.Cancel(s.Owner(), nil)
			g.resumes(s, fiber.Cancelled)
			g.waits(s)
			g.Kill(s.Owner(), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{}, fiber.Never)
			plain, framed := g.worker(s, "plain"), g.workerWith(s, scheduler.Options{Frames: true})
			g.sleep(plain)
			g.sleep(framed)
			g.mount(s.Owner())
			inner := Open(&g.Core, Options{Name: "inner"}, fiber.Never) // of the same owner
			deep := g.worker(inner, "deep")
			g.sleep(deep)
			die(g, s)
			g.is("plain is past saving", g.Inspect().State(plain) == fiber.Dead || g.Unwind().KillPending(plain), true)
			g.is("deep", g.Inspect().State(deep), fiber.Dead)
			g.is("framed is doomed", g.Unwind().KillPending(framed), true)
			g.is("ended", s.Ended(), false)
			g.is("the inner one", inner.Ended(), true)
			g.mount(framed)
			g.fails(g.Unwind().Cause(framed), ErrOwnerDied)
			g.KillCurrent()
			g.is("ended", s.Ended(), true)
			g.is("alive", g.Inspect().Live(), 0)
		})
	}
}

func TestOfACancelOfNestedScopesTheOuterIsToldFirst(t *testing.T) {
	g := newStage(t, 0)
	outer := g.open(Options{Name: "outer"}, fiber.Never)
	first, middle, last := g.worker(outer, "first"), g.worker(outer, "middle"), g.worker(outer, "last")
	g.waits(outer)
	g.sleep(first)
	g.mount(middle)
	inner := Open(&g.Core, Options{Name: "inner"}, fiber.Never)
	deep := g.worker(inner, "deep")
	g.sleep(deep)
	g.waits(inner)
	g.sleep(last)
	outer.Cancel(errWhy)
	g.cancelled(errWhy, first, middle, last)
	g.cancelled(nil, deep)
	g.next(first)
	g.Exit(nil, errWhy)
	g.next(middle)
	g.resumes(inner, fiber.Cancelled)
	g.cancelled(errWhy, deep)
	g.waits(inner)
	g.obeys(last)
	g.is("outer", outer.Len(), 1)
	g.obeys(deep)
	g.resumes(inner, fiber.OK)
	_, err := g.closes(inner)
	g.fails(err, errWhy)
	g.Exit(nil, err) // what the inner scope ended with is the outer's own cause
	g.resumes(outer, fiber.OK)
	_, err = g.closes(outer)
	var f *Failure
	if errors.As(err, &f) {
		t.Errorf("a fiber that passed the cancel on has failed: %v", err)
	}
}

// uncomparable is an error of which == panics.
type uncomparable struct{ detail any }

func (uncomparable) Error() string { return "it cannot be compared" }

func TestAFiberThatEndsAsItWasToldHasNotFailed(t *testing.T) {
	for name, c := range map[string]struct {
		end    func(g *stage, s *Scope, w fiber.ID)
		failed bool
	}{
		"cancelled by somebody":                       {func(g *stage, _ *Scope, w fiber.ID) { g.Cancel(w, errWhy); g.obeys(w) }, false},
		"cancelled by somebody, and failed otherwise": {func(g *stage, _ *Scope, w fiber.ID) { g.Cancel(w, errWhy); g.ends(w, nil, errOther) }, true},
		"cancelled with what cannot be compared": {func(g *stage, _ *Scope, w fiber.ID) {
			g.Cancel(w, uncomparable{[]int{1}})
			g.ends(w, nil, fmt.Errorf("gave up: %w", g.Unwind().Cause(w)))
		}, false},
		"killed by somebody": {func(g *stage, _ *Scope, w fiber.ID) { g.sleep(w); g.Kill(w, errWhy) }, true},
		"killed while the scope stops": {func(g *stage, s *Scope, w fiber.ID) {
			g.sleep(w)
			g.waits(s)
			s.Stop()
			g.Kill(w, errWhy)
			g.Poll()
		}, false},
		"failed while the scope stops": {func(g *stage, s *Scope, w fiber.ID) {
			g.mount(w)
			s.Stop()
			g.ends(w, nil, errOther)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{Policy: WaitAll}, fiber.Never)
			w := g.worker(s, "w")
			c.end(g, s, w)
			_, err := g.closes(s)
			g.is("failed", err != nil, c.failed)
			g.is("seen", g.cells[w].Observed(), c.failed)
		})
	}
}

func TestAScopeThatIsNotOpenRefusesFibersAndSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		stop func(g *stage, s *Scope, w fiber.ID)
		why  error
	}{
		"failed":         {func(g *stage, _ *Scope, w fiber.ID) { g.ends(w, nil, errWhy) }, errWhy},
		"cancelled":      {func(_ *stage, s *Scope, _ fiber.ID) { s.Cancel(errWhy) }, errWhy},
		"stopped":        {func(_ *stage, s *Scope, _ fiber.ID) { s.Stop() }, ErrStopped},
		"owner died":     {func(g *stage, s *Scope, _ fiber.ID) { g.ends(s.Owner(), nil, nil) }, ErrOwnerDied},
		"ended":          {func(g *stage, s *Scope, w fiber.ID) { g.waits(s); g.ends(w, nil, nil) }, ErrClosed},
		"past its time":  {func(g *stage, s *Scope, _ fiber.ID) { g.waits(s); g.at(50); g.resumes(s, fiber.TimedOut) }, ErrDeadline},
		"of a scheduler": {func(g *stage, _ *Scope, _ fiber.ID) { g.Scheduler = scheduler.New[int](scheduler.Config{}) }, wait.ErrForeign},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{Name: "crawl"}, 50)
			w := g.worker(s, "w")
			c.stop(g, s, w)
			before, live := s.Len(), g.Inspect().Live()
			id, err := Spawn(g.Scheduler, s, 0, scheduler.Options{})
			g.fails(err, c.why)
			g.is("fiber", id, fiber.RegularID(0))
			if c.why != wait.ErrForeign {
				g.fails(err, ErrClosed)
			}
			if !strings.Contains(err.Error(), `scope "crawl"`) {
				t.Errorf("the message does not name the scope: %v", err)
			}
			g.is("fibers of the scope", s.Len(), before)
			g.is("fibers", g.Inspect().Live(), live)
		})
	}
}

func TestASpawnThatTheSchedulerRefusesLeavesNothing(t *testing.T) {
	g := newStage(t, 0)
	g.Scheduler = scheduler.New[int](scheduler.Config{MaxFibers: 1})
	s := g.open(Options{}, fiber.Never)
	id, err := Spawn(g.Scheduler, s, 0, scheduler.Options{})
	g.fails(err, scheduler.ErrTooManyFibers)
	g.is("fiber", id, fiber.RegularID(0))
	_, err = g.closes(s)
	g.must(err)
}

func TestADeadlockReportNamesTheScopeAndTheFibersItWaitsFor(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Name: "crawl"}, fiber.Never)
	w := g.worker(s, "fetch")
	g.waits(s)
	g.sleep(w)
	v := g.Steps().IdleVerdictWithReport()
	if v.Kind != scheduler.Deadlock {
		t.Fatalf("the verdict is %v", v.Kind)
	}
	want := `f0.1 waits on scope "crawl" (1 fiber); could be woken by f1.1 "fetch"`
	if !strings.Contains(v.Report.String(), want) {
		t.Errorf("the report does not say %s:\n%s", want, v.Report)
	}
}

func TestMisuseIsABrokenContract(t *testing.T) {
	for name, misuse := range map[string]func(g *stage, s *Scope){
		"closed before its end": func(g *stage, s *Scope) { s.Close() },
		"waited for by two": func(g *stage, s *Scope) {
			g.waits(s)
			g.actor()
			s.Park(g.Arm(s.Reason(), s))
		},
		"opened by nobody": func(g *stage, s *Scope) {
			g.YieldCurrent()
			Open(&g.Core, Options{}, fiber.Never)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{}, fiber.Never)
			g.worker(s, "w")
			defer func() {
				if recover() == nil {
					t.Error("nobody minded")
				}
			}()
			misuse(g, s)
		})
	}
}

func TestParkOfAScopeThatCouldEndIsRefused(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	g.fails(s.Park(g.Arm(s.Reason(), s)), wait.ErrReady)
	g.Disarm()
}

// With a look at all fibers at each end this would take minutes.
func TestAnEndCostsTheSameHoweverManyFibersThereAre(t *testing.T) {
	many := 200_000
	if invariants.On {
		many = 200 // every operation looks at all
	}
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	ids := make([]fiber.RegularID, many)
	for i := range ids {
		ids[i], _ = Spawn(g.Scheduler, s, 0, scheduler.Options{})
	}
	g.waits(s)
	for !s.Ended() {
		if g.ScheduleNext() != nil {
			g.KillCurrent()
		} else {
			g.Poll()
		}
	}
	g.resumes(s, fiber.OK)
	g.is("spawned", g.Inspect().Counts().Spawned, uint64(many+1))
}
