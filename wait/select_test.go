package wait

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestSelectPicksUniformlyAmongTheReadyCases(t *testing.T) {
	f := newFake(t)
	a, b, none, c := NewChan[int](1), NewChan[string](1), NewChan[int](1), NewChan[int](0)
	send(f, a, 1)
	closing(f, c)
	s := NewSelect(RecvFrom(a), RecvFrom(none), SendTo(b, "x"), RecvFrom(c))
	rng := rand.New(rand.NewPCG(1, 2))
	var picked [4]int
	const rounds = 30000
	for range rounds {
		i, w, ok := s.Poll(rng)
		if !ok || !w.IsZero() {
			t.Fatalf("poll: %v %v", w, ok)
		}
		picked[i]++
		switch i {
		case 0:
			send(f, a, 1)
		case 2:
			recv(f, b)
		}
	}
	is(t, "the case that was not ready", picked[1], 0)
	for _, i := range []int{0, 2, 3} {
		if d := picked[i] - rounds/3; d < -500 || d > 500 { // six standard deviations
			t.Errorf("case %d was picked %d times of %d", i, picked[i], rounds)
		}
	}
}

func TestTheSameSeedMakesTheSameChoices(t *testing.T) {
	run := func() (picks []int) {
		f, rng := newFake(t), rand.New(rand.NewPCG(3, 4))
		a, b := NewChan[int](1), NewChan[int](1)
		s := NewSelect(RecvFrom(a), RecvFrom(b))
		for range 50 {
			send(f, a, 1)
			send(f, b, 1)
			i, _, _ := s.Poll(rng)
			picks = append(picks, i)
		}
		return picks
	}
	first, second := run(), run()
	for i := range first {
		is(t, "pick", first[i], second[i])
	}
}

func TestSelectWithADefaultChangesNothingIfNoCaseIsReady(t *testing.T) {
	full := NewChan[int](1)
	send(newFake(t), full, 1)
	s := NewSelect(RecvFrom(NewChan[int](1)), SendTo(full, 2))
	i, w, ok := s.Poll(nil)
	is(t, "index", i, -1)
	is(t, "ok", ok || !w.IsZero(), false)
	is(t, "len", full.Len(), 1)
}

// docs/design.md#defects: select siblings left registered.
func TestLosingCasesAreGoneAtTheMomentOfTheWake(t *testing.T) {
	f := newFake(t)
	in, out, quit := NewChan[int](0), NewChan[string](0), NewChan[struct{}](0)
	got := RecvFrom(in)
	s := NewSelect(SendTo(out, "x"), got, RecvFrom(quit))
	tk := parkedSelect(f, s, 1)
	send(f, in, 5) // the fake fails if a registration is left
	is(t, "a receiver at the losing case finds", lookAt(out), Empty)
	is(t, "a sender to the losing case", send(f, quit, struct{}{}), false)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, true)
	is(t, "index", i, 1)
	v, ok := got.Value()
	is(t, "open", ok, true)
	is(t, "value", v, 5)
}

func lookAt[V any](ch *Chan[V]) Status {
	_, status, _ := ch.TryRecv()
	return status
}

// docs/design.md#defects: double wake.
func TestTheSameChannelInSeveralCasesWakesOnce(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	first, second := RecvFrom(ch), RecvFrom(ch)
	s := NewSelect(first, SendTo(ch, 9), second)
	tk := parkedSelect(f, s, 1)
	wakes := closing(f, ch) // the fake fails on a second wake
	is(t, "woken", len(wakes), 1)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, true)
	is(t, "index", i, 0)
	_, open := first.Value()
	is(t, "open", open, false)

	ch = NewChan[int](0)
	s.Reset(RecvFrom(ch), SendTo(ch, 9), RecvFrom(ch))
	tk = parkedSelect(f, s, 1)
	is(t, "it does not meet itself", f.claim(tk).Code, fiber.Pending)
	v, status := recv(f, ch)
	is(t, "status", status, Received)
	is(t, "value", v, 9)
	i, _ = s.Collect(tk, f.claim(tk))
	is(t, "index", i, 1)
}

func TestASendCaseThatWasAcceptedStaysAcceptedIfTheChannelCloses(t *testing.T) {
	f, ch := newFake(t), NewChan[int](1)
	send(f, ch, 1)
	out := SendTo(ch, 2)
	s := NewSelect(out)
	tk := parkedSelect(f, s, 1)
	recv(f, ch)
	closing(f, ch)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "index", i, 0)
	is(t, "chosen", ok, true)
	is(t, "error", out.Err(), nil)
	v, _ := recv(f, ch)
	is(t, "value", v, 2)
}

func TestASendCaseOnAClosedChannelIsChosenAndFails(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	out := SendTo(ch, 2)
	s := NewSelect(out)
	tk := parkedSelect(f, s, 1)
	closing(f, ch)
	_, ok := s.Collect(tk, f.claim(tk))
	is(t, "parked: chosen", ok, true)
	is(t, "parked: error", errors.Is(out.Err(), ErrClosed), true)
	out.Reset(ch, 3)
	_, _, ok = s.Poll(nil)
	is(t, "polled: chosen", ok, true)
	is(t, "polled: error", errors.Is(out.Err(), ErrClosed), true)
}

func TestASendCaseMadeAnewSendsTheOtherValueOnTheOtherChannel(t *testing.T) {
	f, closed, open := newFake(t), NewChan[int](0), NewChan[int](0)
	closing(f, closed)
	out := SendTo(closed, 1)
	s := NewSelect(out)
	s.Poll(nil)
	is(t, "error of the old one", errors.Is(out.Err(), ErrClosed), true)
	out.Reset(open, 2)
	is(t, "error of the new one", out.Err(), nil)
	tk := parkedSelect(f, s, 1)
	v, _ := recv(f, open)
	is(t, "value", v, 2)
	_, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, true)
	is(t, "error", out.Err(), nil)
}

func TestASelectThatTimesOutChoseNothing(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	s := NewSelect(SendTo(ch, 1), RecvFrom(ch))
	tk := parkedSelect(f, s, 1)
	f.timeout(tk)
	i, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, false)
	is(t, "index", i, -1)
	_, status := recv(f, ch)
	is(t, "its send", status, Empty)
}

func TestASelectWokenByIDDoesNotTakeThatForAValue(t *testing.T) {
	f, ch := newFake(t), NewChan[int](0)
	got := RecvFrom(ch)
	s := NewSelect(got)
	tk := parkedSelect(f, s, 1)
	f.end(tk, fiber.Result{Code: fiber.OK}) // scheduler.Wake
	_, ok := s.Collect(tk, f.claim(tk))
	is(t, "chosen", ok, false)
}

func TestNilChannelsAreDisabledAndAnEmptySelectWaitsForever(t *testing.T) {
	f := newFake(t)
	var none *Chan[int]
	for name, s := range map[string]*Select{
		"empty": {}, "nil channels": NewSelect(RecvFrom(none), SendTo(none, 1)), "nil case": NewSelect(nil),
		"no join": NewSelect(Join{}),
	} {
		_, _, ok := s.Poll(nil)
		is(t, name+": polled", ok, false)
		is(t, name+": sources", len(s.Sources(nil)), 0)
		is(t, name+": park", s.Park(f.arm(fib(1))), nil)
	}
	live := NewChan[int](0)
	s := NewSelect(RecvFrom(none), nil, RecvFrom(live))
	_, ok := s.Collect(f.arm(fib(1)), fiber.Result{Code: fiber.OK, Value: 1})
	is(t, "a disabled case was chosen", ok, false)
	tk := parkedSelect(f, s, 2)
	send(f, live, 1)
	i, _ := s.Collect(tk, f.claim(tk))
	is(t, "indices count disabled cases", i, 2)
}

// The operand of a select may be the outcome of another: that one is over, with its own
// ticket, before the outer one registers anything.
func TestASelectInAnOperandOfASelectHasWaitsOfItsOwn(t *testing.T) {
	f := newFake(t)
	which, quit, jobs := NewChan[*Chan[int]](0), NewChan[int](0), NewChan[int](0)
	operand := RecvFrom(which)
	inner := NewSelect(RecvFrom(quit), operand)
	first := parkedSelect(f, inner, 1)
	send(f, which, jobs)
	i, _ := inner.Collect(first, f.claim(first))
	is(t, "inner", i, 1)
	chosen, _ := operand.Value()

	job := RecvFrom(chosen)
	outer := NewSelect(RecvFrom(quit), job)
	second := parkedSelect(f, outer, 1)
	is(t, "the inner one is still registered", quit.Source().Holds(first) || which.Source().Holds(first), false)
	send(f, jobs, 7)
	i, _ = outer.Collect(second, f.claim(second))
	is(t, "outer", i, 1)
	v, _ := job.Value()
	is(t, "value", v, 7)
	is(t, "left behind", quit.Source().Holds(second), false)
}

func TestParkingASelectWithAReadyCaseRegistersNothing(t *testing.T) {
	f := newFake(t)
	idle, ready := NewChan[int](0), NewChan[int](1)
	send(f, ready, 1)
	tk := f.arm(fib(1))
	err := NewSelect(RecvFrom(idle), RecvFrom(ready)).Park(tk)
	is(t, "refused", errors.Is(err, ErrReady), true)
	is(t, "registered", idle.Source().Holds(tk) || ready.Source().Holds(tk), false)
}

func TestASelectOverChannelsOfTwoSchedulersRegistersNothing(t *testing.T) {
	home, away := newFake(t), newFake(t)
	away.number = 1
	mine, theirs := NewChan[int](0), NewChan[int](0)
	parkedRecv(away, theirs, 1)
	tk := home.arm(fib(1))
	err := NewSelect(RecvFrom(mine), RecvFrom(theirs)).Park(tk)
	is(t, "refused", errors.Is(err, ErrForeign), true)
	is(t, "registered", mine.Source().Holds(tk) || theirs.Source().Holds(tk), false)
}

// constant is a chooser that is none.
type constant uint64

func (c constant) Uint64N(uint64) uint64 { return uint64(c) }

func TestABadChooserIsABrokenContract(t *testing.T) {
	closed := NewChan[int](0)
	closing(newFake(t), closed)
	s := NewSelect(RecvFrom(closed), RecvFrom(closed))
	for name, rng := range map[string]chooser{"too large": constant(2), "nil": nil} {
		if e := broken(func() { s.Poll(rng) }); e == nil || e.Op != "poll" {
			t.Errorf("%s: got %v, want a contract error", name, e)
		}
	}
}

// A case may hold a value that is large.
func TestASelectThatIsUsedAgainKeepsNoFormerCaseAlive(t *testing.T) {
	s := NewSelect(new(Timer), new(Timer), new(Timer))
	s.Reset(new(Timer))
	for i, c := range s.cases[1:cap(s.cases)] {
		if c != nil {
			t.Errorf("case %d of before is still there", i+1)
		}
	}
}
