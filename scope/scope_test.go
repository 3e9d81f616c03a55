package scope

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// What decides a scope first stays: who comes later changes neither its cause nor its end.
func TestWhatComesAfterADecisionChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		decide func(g *stage, s *Scope, worker fiber.ID)
		cause  error
	}{
		"it is cancelled": {func(_ *stage, s *Scope, _ fiber.ID) { s.Cancel(errWhy) }, errWhy},
		"its owner dies":  {func(g *stage, s *Scope, _ fiber.ID) { g.Kill(s.Owner(), nil) }, ErrOwnerDied},
		"it is stopped":   {func(g *stage, s *Scope, worker fiber.ID) { s.Stop(); g.ends(worker, nil, nil) }, ErrStopped},
		"it ends":         {func(g *stage, s *Scope, worker fiber.ID) { g.ends(worker, nil, nil) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, 0)
			s := g.open(Options{}, fiber.Never)
			worker := g.workerWith(s, scheduler.Options{Frames: true})
			g.waits(s)
			c.decide(g, s, worker)
			s.Stop()
			g.is("the cause after a stop", s.Cause(), c.cause)
			if c.cause != ErrStopped || s.ended { // a scope that was only stopped can still be cancelled
				s.Cancel(ErrDeadline)
				g.is("the cause after a cancel", s.Cause(), c.cause)
			}
		})
	}
}

// An earlier decision is a pending wake-up: a scope that is notified of the end of a wait,
// its owner's or a stranger's, keeps it.
func TestAScopeKeepsWhatOthersHaveDecided(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	worker := g.worker(s, "w")
	first, stranger := fiber.Wakeup{Ticket: fiber.Ticket{ID: worker, Seq: 1}}, fiber.Ticket{ID: worker, Seq: 77}
	owners := g.Arm(s.Reason(), s.Source())
	g.must(s.Park(owners))
	for _, ticket := range []fiber.Ticket{stranger, owners, owners} {
		if got := s.Source().Withdraw(ticket, []fiber.Wakeup{first}); len(got) != 1 || got[0] != first {
			t.Errorf("after %v was withdrawn there is %v", ticket, got)
		}
		g.is("the owner waits", s.Source().Holds(owners), ticket == stranger)
	}
	g.Disarm()
	if all := s.Source().(fiber.Described).Holders([]fiber.ID{s.Owner()}); len(all) != 2 || all[0] != s.Owner() || all[1] != worker {
		t.Errorf("the holders are %v", all)
	}
}

// A caller may keep a reference to a fiber that is dead for longer than the scope lasts; were it
// linked to the others still, all that came after it would stay in memory with it.
func TestWhoHasLeftTheRollKeepsNobodyElseAlive(t *testing.T) {
	for i, name := range []string{"the first", "the middle one", "the last"} {
		var r roll
		all := []*member{{id: 1}, {id: 2}, {id: 3}}
		for _, m := range all {
			r.add(m)
		}
		gone := all[i]
		r.remove(gone)
		if gone.prev != nil || gone.next != nil {
			t.Errorf("%s is still linked", name)
		}
		var left []fiber.ID
		for _, o := range r.order(nil, false, nil) {
			left = append(left, o.ID)
		}
		if want := slices.DeleteFunc([]fiber.ID{1, 2, 3}, func(id fiber.ID) bool { return id == gone.id }); !slices.Equal(left, want) || r.n != 2 {
			t.Errorf("without %s there are %v, %d", name, left, r.n)
		}
	}
}

// A woken fiber waits no more, even before it has run.
func TestTheOwnerThatWaitsIsWokenOnce(t *testing.T) {
	ticket := fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: 1}
	s := &Scope{waiting: ticket}
	wakes := s.release(nil)
	if len(wakes) != 1 || wakes[0].Ticket != ticket || !s.ended || s.Source().Holds(ticket) {
		t.Fatalf("woken %v, ended: %v, it waits: %v", wakes, s.ended, s.Source().Holds(ticket))
	}
	if wakes = s.release(wakes); len(wakes) != 1 {
		t.Fatalf("woken %v", wakes)
	}
}

func TestAScopeIsOfTheSchedulerAndTheNameItWasOpenedWith(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Name: "crawl"}, fiber.Never)
	g.is("name", s.opts.Name, "crawl")
	g.is("another scheduler may use it", s.Source().Anchored().Bind(g.Inspect().Number()+1, 0), false)
	g.is("its own may", s.Source().Anchored().Bind(g.Inspect().Number(), 0), true)
}

// What an error unwraps to is never nil: errors says that this is invalid.
func TestTheRefusalOfAFiberUnwrapsToWhatThereIs(t *testing.T) {
	for _, c := range []struct {
		err  *ClosedError
		want []error
	}{
		{&ClosedError{Scope: "s"}, []error{ErrClosed}},
		{&ClosedError{Scope: "s", Cause: errWhy}, []error{ErrClosed, errWhy}},
	} {
		if got := c.err.Unwrap(); !slices.Equal(got, c.want) {
			t.Errorf("%v is %v", c.err, got)
		}
	}
}
