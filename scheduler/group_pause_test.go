package scheduler

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

// The fibers of the Group below, one that is spawned meanwhile, and no other.
func TestAPausedGroupHoldsItsFibersInOrder(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	a := s.spawnReady(Options{Group: part})
	other := s.spawnReady(Options{})
	b := s.spawnReady(Options{Group: guest})
	s.Poll()
	guest.Pause()
	guest.Pause()
	c := s.spawnReady(Options{Group: part, Front: true})
	require.True(t, guest.Paused() && !part.Paused() && s.Inspect().Paused(a.ID()))
	require.Equal(t, []fiber.RegularID{other}, s.order())
	guest.Resume()
	guest.Resume()
	require.Equal(t, []fiber.RegularID{c, a, b}, s.order())
}

// Whatever was paused first, a fiber runs when nothing pauses it any more.
func TestAFiberIsHeldByEachPauseThatIsLeft(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	id := s.spawnReady(Options{Group: part})
	part.Pause()
	require.False(t, s.Poll())
	guest.Pause()
	s.pause(id)
	part.Resume()
	require.False(t, s.Poll())
	s.resume(id)
	require.False(t, s.Poll())
	part.Pause()
	guest.Resume()
	require.False(t, s.Poll())
	part.Resume()
	require.Equal(t, []fiber.RegularID{id}, s.order())
}

func TestAKillOfAPausedGroupEndsIt(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	id := s.spawnReady(Options{Group: guest, Frames: true})
	dies := s.spawnReady(Options{Group: guest})
	guest.Pause()
	s.Poll()
	guest.Kill(nil)
	require.Equal(t, id, s.next())
	s.KillCurrent()
	s.Poll()
	s.is(dies.ID(), fiber.Dead)
	require.EqualValues(t, lead, s.emptyAt) // a Group without fibers costs nothing
}

// worker is a machine whose fibers use steps in slices, and end when the limit of slices is reached. It
// notes what each Group has used.
type worker struct {
	steps  func(g *Group) int64
	slices int
	ran    map[*Group]int64
}

func (w *worker) Resume(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
	g := s.Inspect().Group(s.Current())
	if s.Unwind().UnwindCause() != nil || w.slices == 0 {
		return fiber.Outcome{Kind: fiber.Done}
	}
	w.slices--
	n := w.steps(g)
	w.ran[g] += n
	if err := g.Take(quota.Steps, n); err != nil {
		panic(err)
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

// n steps at rate r take n/r seconds of the scheduler's time, to the nanosecond, whatever their slices.
func TestAThrottledGroupUsesStepsAtItsRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1, 3_000_000).Draw(t, "rate")
		fibers := rapid.IntRange(1, 5).Draw(t, "fibers")
		w := &worker{slices: rapid.IntRange(1, 40).Draw(t, "slices"), ran: map[*Group]int64{},
			steps: func(*Group) int64 { return rapid.Int64Range(1, 10_000).Draw(t, "steps") }}
		s := New[int](Config{})
		guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{})
		guest.SetRate(rate)
		for range fibers {
			_, err := s.SpawnWith(0, Options{Group: guest})
			require.NoError(t, err)
		}
		require.NoError(t, s.Run(context.Background(), w))
		s.Inspect().Verify()
		n := w.ran[guest]
		require.Equal(t, fiber.Time(n/rate*1e9+n%rate*1e9/rate), s.Now())
	})
}

// A Group of a throttled one is throttled with it, and what is in none is not.
func TestAThrottleIsForAllBelowAndForNoOther(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	guest.SetRate(10)
	a, b := s.spawnReady(Options{Group: guest}), s.spawnReady(Options{Group: part})
	other := s.spawnReady(Options{})
	s.mount(b)
	require.NoError(t, part.Take(quota.Steps, 5))
	require.NoError(t, part.Take(quota.Steps, 15))
	s.YieldCurrent()
	require.Equal(t, []fiber.RegularID{other}, s.order())
	require.Equal(t, fiber.Time(500*time.Millisecond), s.Steps().NextDeadline())
	s.at(fiber.Time(500 * time.Millisecond))
	require.True(t, s.Inspect().Paused(a.ID()))
	s.at(fiber.Time(2 * time.Second))
	require.Equal(t, []fiber.RegularID{a, b}, s.order())
	guest.SetRate(0)
	require.EqualValues(t, lead, s.emptyAt)
}

// Time without work is not saved up; an end of the rate pays what was used.
func TestARateIsNotSavedUpAndItsEndReleases(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	guest.SetRate(10)
	s.at(fiber.Time(time.Hour))
	a := s.spawnRunning(Options{Group: guest})
	require.NoError(t, guest.Take(quota.Steps, 10))
	s.YieldCurrent()
	require.False(t, s.Poll())
	require.Equal(t, Waiting, s.Steps().IdleVerdict().Kind)
	require.Equal(t, fiber.Time(time.Hour+time.Second), s.Steps().IdleVerdict().Until)
	guest.SetRate(0)
	require.Equal(t, []fiber.RegularID{a}, s.order())
	require.Equal(t, fiber.Never, s.Steps().NextDeadline())
}

// A Group that ends while its rate stops it still owes the time when it gets fibers again.
func TestADebtOfStepsOutlivesTheFibers(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	guest.SetRate(10)
	s.spawnRunning(Options{Group: guest})
	require.NoError(t, guest.Take(quota.Steps, 20))
	s.KillCurrent()
	require.Equal(t, Done, s.Steps().IdleVerdict().Kind)
	b := s.spawnReady(Options{Group: guest})
	require.False(t, s.Poll())
	s.at(fiber.Time(2 * time.Second))
	require.Equal(t, []fiber.RegularID{b}, s.order())
}

// In the long run busy Groups use steps in proportion to their weights: while all have work, a Group of
// weight w is never further from n·w slices after n rounds than one slice, whatever the number of fibers,
// and however its slices differ. An idle Group takes nothing.
func TestBusyGroupsShareTheStepsByWeight(t *testing.T) {
	const budget = 1000
	rapid.Check(t, func(t *rapid.T) {
		s := New[int](Config{Budget: budget})
		idle := s.Attachments().NewGroup(nil, "idle", quota.Limits{})
		idle.SetWeight(50)
		_, err := s.SpawnWith(0, Options{Group: idle})
		require.NoError(t, err)
		s.Poll()
		s.ScheduleNext()
		s.Arm(fiber.OnQueue().FromOutside())
		s.Block()
		groups := map[*Group]int64{}
		least := map[*Group]int64{} // the least that a slice uses
		for range rapid.IntRange(2, 5).Draw(t, "groups") {
			g := s.Attachments().NewGroup(nil, "guest", quota.Limits{})
			groups[g], least[g] = rapid.Int64Range(1, 9).Draw(t, "weight"), rapid.Int64Range(1, budget).Draw(t, "slice")
			g.SetWeight(groups[g])
			for range rapid.IntRange(1, 4).Draw(t, "fibers") {
				_, err := s.SpawnWith(0, Options{Group: g})
				require.NoError(t, err)
			}
		}
		ran := map[*Group]int64{}
		for s.groups.number < 20 {
			s.Poll()
			for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
				g := s.Inspect().Group(s.Current())
				n := rapid.Int64Range(least[g], budget).Draw(t, "steps")
				ran[g] += n + 1 // a selection counts as a step
				require.NoError(t, g.Take(quota.Steps, n))
				s.YieldCurrent()
			}
			s.Inspect().Verify()
		}
		for g, weight := range groups {
			rounds := int64(s.groups.number)
			require.GreaterOrEqual(t, ran[g], (rounds-1)*weight*budget, "weight %d", weight)
			require.LessOrEqual(t, ran[g], rounds*weight*budget+budget, "weight %d", weight)
		}
	})
}

// A share of which three steps are left is not enough for three fibers of a batch.
func TestABatchHasNoMoreFibersOfAGroupThanItsShareLastsFor(t *testing.T) {
	const budget = 1000
	s := New[int](Config{Budget: budget})
	small, large := s.Attachments().NewGroup(nil, "small", quota.Limits{}), s.Attachments().NewGroup(nil, "large", quota.Limits{})
	small.SetWeight(1)
	large.SetWeight(6)
	for _, g := range []*Group{small, small, small, small, large} {
		_, err := s.SpawnWith(0, Options{Group: g})
		require.NoError(t, err)
	}
	ran := int64(0)
	for s.groups.number < 20 {
		require.True(t, s.Poll())
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			g := s.Inspect().Group(s.Current())
			require.NoError(t, g.Take(quota.Steps, 996))
			if g == small {
				ran += 996
			}
			s.YieldCurrent()
		}
		require.Less(t, ran, int64(s.groups.number+1)*budget)
	}
}

// Fibers outside of the Groups with a weight have one share, in which a slice is a whole one.
func TestFibersOfNoGroupHaveAShareOfWeightOne(t *testing.T) {
	s := newTestScheduler(t, Config{Budget: 100})
	guest := s.group(nil, "guest", quota.Limits{})
	guest.SetWeight(3)
	w := &worker{slices: 400, ran: map[*Group]int64{}, steps: func(*Group) int64 { return 99 }}
	s.spawnReady(Options{Group: guest})
	for range 10 {
		s.spawnReady(Options{Movable: true})
	}
	require.NoError(t, s.Run(context.Background(), w))
	require.EqualValues(t, 300*99, w.ran[guest])
	require.EqualValues(t, 100*99, w.ran[nil])
	require.EqualValues(t, lead, s.emptyAt)
}

// A Group whose slices are longer than its allowance pays for that in the next rounds.
func TestALongSliceIsTakenOffTheNextRounds(t *testing.T) {
	s := newTestScheduler(t, Config{Budget: 10})
	long, short := s.group(nil, "long", quota.Limits{}), s.group(nil, "short", quota.Limits{})
	long.SetWeight(1)
	short.SetWeight(1)
	w := &worker{slices: 1100, ran: map[*Group]int64{}, steps: func(g *Group) int64 {
		if g == long {
			return 999
		}
		return 9
	}}
	s.spawnReady(Options{Group: long})
	s.spawnReady(Options{Group: short})
	require.NoError(t, s.Run(context.Background(), w))
	require.InDelta(t, w.ran[short], w.ran[long], 1200)
}

func TestAShareThatIsGivenUpReleasesItsFibers(t *testing.T) {
	s := newTestScheduler(t, Config{Budget: 10})
	a, b := s.group(nil, "a", quota.Limits{}), s.group(nil, "b", quota.Limits{})
	a.SetWeight(1)
	b.SetWeight(5)
	first := s.spawnReady(Options{Group: a})
	second := s.spawnReady(Options{Group: b})
	rest, rest2 := s.spawnReady(Options{}), s.spawnReady(Options{})
	s.mount(first)
	require.NoError(t, a.Take(quota.Steps, 50))
	s.YieldCurrent()
	for range 5 {
		s.Poll()
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			s.YieldCurrent()
		}
	}
	require.True(t, s.Inspect().Paused(first.ID()) && s.Inspect().Paused(rest.ID()) && s.Inspect().Paused(rest2.ID()))
	a.SetWeight(0)
	b.SetWeight(0)
	require.ElementsMatch(t, []fiber.RegularID{first, second, rest, rest2}, s.order())
}

func TestARateOrAWeightThatIsNoneIsRefused(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	for _, n := range []int64{-1, maxPace + 1} {
		require.ErrorContains(t, refusal(func() { guest.SetRate(n) }), "VALID-ARGUMENT")
		require.ErrorContains(t, refusal(func() { guest.SetWeight(n) }), "VALID-ARGUMENT")
	}
}
