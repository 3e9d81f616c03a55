package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// children are the cells of fibers 1 to n, and a group of joins on them.
func children(t *testing.T, goal Goal, n int) (*Group, []ioqueue.Cell) {
	t.Helper()
	g, cells := newGroup(goal), make([]ioqueue.Cell, n)
	for i := range cells {
		cells[i].SetOwner(fib(i + 1))
		g.Add(joined(t, &cells[i], 99))
	}
	return g, cells
}

func ends(f *fake, cell *ioqueue.Cell, err error) {
	f.tb.Helper()
	wakes, done := cell.Complete("value", err, nil)
	if done != nil {
		f.tb.Fatalf("complete: %v", done)
	}
	f.deliver(wakes...)
}

func parkedGroup(f *fake, g *Group) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(99), g.Sources(nil)...)
	if err := g.Park(t); err != nil {
		f.tb.Fatalf("park: %v", err)
	}
	return t
}

// goes checks what the group says now.
func goes(t *testing.T, g *Group, index int, done bool, rest ...fiber.ID) {
	t.Helper()
	i, d := g.Try()
	is(t, "index", i, index)
	is(t, "done", d, done)
	if got := g.Unfinished(nil); !slices.Equal(got, rest) {
		t.Errorf("rest %v, want %v", got, rest)
	}
}

func TestAllWaitsForEveryEndWellOrNot(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, All, 3)
	goes(t, g, -1, false, fib(1), fib(2), fib(3))
	tk := parkedGroup(f, g)
	ends(f, &cells[2], nil)
	ends(f, &cells[1], errors.New("boom"))
	is(t, "woken while the first goes on", f.claim(tk).Code, fiber.Pending)
	goes(t, g, -1, false, fib(1))
	ends(f, &cells[0], nil)
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, -1, true)
	_, done, err := g.members[1].join.Try()
	is(t, "the failure is read from its member", done && err != nil, true)
}

// Each end wakes at most once, however many members there are: one wait for the first,
// and by then the second and the third have ended too.
func TestAllRegistersWithOneMemberAtATime(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, All, 3)
	is(t, "sources", len(g.Sources(nil)), 1)
	tk := parkedGroup(f, g)
	for i := range cells {
		ends(f, &cells[i], nil)
	}
	is(t, "woken", len(f.woken), 1)
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, -1, true)
}

func TestFirstErrorEndsWithTheFailureAndNamesTheRest(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, FirstError, 4)
	tk := parkedGroup(f, g)
	ends(f, &cells[1], nil)
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, -1, false, fib(1), fib(3), fib(4))
	tk = parkedGroup(f, g)
	ends(f, &cells[2], errors.New("boom"))
	ends(f, &cells[0], errors.New("later"))
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, 2, true, fib(4)) // not 0, though it was added before
	goes(t, g, 2, true, fib(4))
	_, _, err := g.members[2].join.Try()
	is(t, "error", err.Error(), "boom")
	is(t, "the other failure", cells[0].Observed(), false) // it is still to be reported
}

func TestFirstErrorWithoutOneWaitsForAll(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, FirstError, 2)
	ends(f, &cells[1], nil)
	goes(t, g, -1, false, fib(1))
	ends(f, &cells[0], nil)
	goes(t, g, -1, true)
}

func TestAnyEndsWithTheFirstSuccess(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, Any, 3)
	tk := parkedGroup(f, g)
	ends(f, &cells[0], errors.New("refused"))
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, -1, false, fib(2), fib(3))
	tk = parkedGroup(f, g)
	ends(f, &cells[2], nil)
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, 2, true, fib(2))
	v, _, _ := g.members[2].join.Try()
	is(t, "value", v, "value")

	g, cells = children(t, Any, 2)
	ends(f, &cells[0], errors.New("refused"))
	ends(f, &cells[1], errors.New("refused"))
	goes(t, g, -1, true)
}

func TestOfSeveralThatEndedUnseenTheOneAddedFirstDecides(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, FirstError, 3)
	ends(f, &cells[2], errors.New("boom"))
	ends(f, &cells[1], errors.New("boom"))
	goes(t, g, 1, true, fib(1))
}

func TestAGroupThatTimesOutNamesThoseToCancel(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, FirstError, 2)
	ends(f, &cells[0], nil)
	goes(t, g, -1, false, fib(2))
	tk := parkedGroup(f, g)
	f.timeout(tk)
	is(t, "collected", g.Collect(tk, f.claim(tk)), false)
	goes(t, g, -1, false, fib(2))
	for i := range cells {
		is(t, "registered", cells[i].Source().Holds(tk), false)
	}
	tk = parkedGroup(f, g)
	f.end(tk, fiber.Result{Code: fiber.OK}) // woken by ID: member 0 has ended, long ago
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, -1, false, fib(2))
	for _, none := range []uint32{2, 7} { // of two members
		is(t, "a case that is none", g.Collect(tk, fiber.Result{Code: fiber.OK, Value: none}), false)
	}
}

func TestAnEmptyGroupIsDoneAndOneOfZeroJoinsNever(t *testing.T) {
	f := newFake(t)
	for _, goal := range []Goal{All, FirstError, Any} {
		g := newGroup(goal)
		goes(t, g, -1, true)
		g.Add(Join{})
		goes(t, g, -1, false)
		parkedGroup(f, g)
		is(t, "sources", len(g.Sources(nil)), 0)
	}
	goes(t, new(Group), -1, true)
}

func TestThoseToCancelAreAddedToOthers(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, All, 2)
	g.Add(Join{})
	g.Add(joined(t, new(ioqueue.Cell), 1)) // for which no fiber is named
	ends(f, &cells[0], nil)
	if got := g.Unfinished([]fiber.ID{fib(8)}); !slices.Equal(got, []fiber.ID{fib(8), fib(2)}) {
		t.Errorf("rest is %v, want fiber 8, which was there, and fiber 2", got)
	}
}

func TestAGroupIsNotParkedWhereAnEndIsThereOrForeign(t *testing.T) {
	f, away := newFake(t), newFake(t)
	away.number = 1
	g, cells := children(t, Any, 2)
	_ = parkedGroup(f, g)
	tk := away.arm(fib(99))
	is(t, "foreign", errors.Is(g.Park(tk), ErrForeign), true)
	ends(f, &cells[1], errors.New("boom"))
	tk = f.arm(fib(99))
	is(t, "ended unseen", errors.Is(g.Park(tk), ErrReady), true)
	is(t, "registered", cells[0].Source().Holds(tk), false)
	ends(f, &cells[0], nil)
	goes(t, g, 0, true)
	err := g.Park(tk)
	is(t, "reached", errors.Is(err, ErrReady), true)
	is(t, "text", err.Error(), "wait: join: group of 2: it would not block; disarm and try again (tried by f99.1)")
}

func TestAGroupMayHaveTheSameMemberTwiceAndBeUsedAgain(t *testing.T) {
	f := newFake(t)
	g, cells := children(t, FirstError, 1)
	g.Add(g.members[0].join)
	is(t, "len", g.Len(), 2)
	tk := parkedGroup(f, g)
	ends(f, &cells[0], errors.New("boom"))
	is(t, "woken", len(f.woken), 1)
	is(t, "collected", g.Collect(tk, f.claim(tk)), true)
	goes(t, g, 0, true)
	g.Reset(All, g.members[1].join)
	is(t, "len", g.Len(), 1)
	goes(t, g, -1, true)
}

// What a fiber ended with is in its cell, and may be large.
func TestAGroupThatIsUsedAgainKeepsNoFormerMemberAlive(t *testing.T) {
	g, _ := children(t, All, 5)
	g.Reset(Any, joined(t, new(ioqueue.Cell), 1))
	for i, m := range g.members[:cap(g.members)] {
		if i > 0 && m != (member{}) {
			t.Errorf("member %d of before is still there", i)
		}
	}
}
func TestGoalsHaveNames(t *testing.T) {
	for g, want := range map[Goal]string{All: "all", FirstError: "first error", Any: "any", Any + 1: "invalid goal"} {
		is(t, "goal", g.String(), want)
	}
}
