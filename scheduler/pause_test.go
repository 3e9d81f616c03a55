package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
)

// order is which fibers run, each for one slice, until no fiber is ready.
func (g *testScheduler) order() (ran []fiber.RegularID) {
	for g.Poll() {
		for f := g.ScheduleNext(); f != nil; f = g.ScheduleNext() {
			id, _ := g.Current().Regular()
			ran = append(ran, id)
			g.KillCurrent()
		}
	}
	return ran
}

func (g *testScheduler) pause(id fiber.RegularID) {
	g.t.Helper()
	if err := g.Attachments().Pause(id.ID()); err != nil {
		g.t.Fatalf("Pause: %v", err)
	}
}

func (g *testScheduler) resume(id fiber.RegularID) {
	g.t.Helper()
	if err := g.Attachments().Resume(id.ID()); err != nil {
		g.t.Fatalf("Resume: %v", err)
	}
}

// The fiber is in the batch when it is paused, and goes behind the others when it is resumed.
func TestAPausedFiberRunsAfterItsResumeAndBehindTheOthers(t *testing.T) {
	s := newTestScheduler(t, Config{})
	a, b, c := s.spawnReady(Options{}), s.spawnReady(Options{}), s.spawnReady(Options{})
	s.Poll()
	s.pause(a)
	s.pause(a)
	require.Equal(t, []fiber.RegularID{b, c}, s.order())
	require.True(t, s.Inspect().Paused(a.ID()))
	require.Equal(t, fiber.Runnable, s.Inspect().State(a.ID()))
	require.False(t, s.Inspect().Blocked() != 0 || s.HasWork())
	d := s.spawnReady(Options{})
	s.resume(a)
	s.resume(a)
	require.False(t, s.Inspect().Paused(a.ID()))
	require.Equal(t, []fiber.RegularID{d, a}, s.order())
}

func TestARunningFiberIsHeldAfterItsSlice(t *testing.T) {
	s := newTestScheduler(t, Config{})
	a := s.spawnRunning(Options{})
	s.pause(a)
	s.is(a.ID(), fiber.Running)
	s.YieldCurrent()
	require.False(t, s.Poll())
	s.resume(a)
	s.mount(a)
}

func TestAWaitOfAPausedFiberEndsAndItsResultWaits(t *testing.T) {
	s := newTestScheduler(t, Config{})
	ticket := s.spawnBlocked(Options{}, fiber.OnQueue())
	id, _ := ticket.ID.Regular()
	s.pause(id)
	s.delivers(ticket, fiber.Woken)
	require.False(t, s.Poll())
	s.resume(id)
	s.wakesWith(id, fiber.OK)
}

func TestACancelWaitsForTheResumeAndAKillDoesNot(t *testing.T) {
	s := newTestScheduler(t, Config{Grace: 10})
	ticket := s.spawnBlocked(Options{Frames: true}, fiber.OnQueue())
	id, _ := ticket.ID.Regular()
	other := s.spawnReady(Options{})
	s.pause(id)
	s.pause(other)
	require.NoError(t, s.Cancel(ticket.ID, nil))
	require.False(t, s.Poll())
	s.at(10) // its grace period ends
	require.Equal(t, id, s.next())
	s.KillCurrent()
	require.NoError(t, s.Kill(other.ID(), nil))
	require.False(t, s.Poll())
	s.is(other.ID(), fiber.Dead)
}

// The host may resume it: that is no deadlock. The end of the run lets it unwind.
func TestARunWaitsForHeldFibersAndEndsThem(t *testing.T) {
	s := newTestScheduler(t, Config{})
	id := s.spawnReady(Options{Frames: true})
	s.pause(id)
	s.Poll()
	v := s.Steps().IdleVerdict()
	require.Equal(t, Waiting, v.Kind)
	require.Equal(t, fiber.Never, v.Until)
	ctx, cancel := context.WithCancel(context.Background())
	ran := 0
	go cancel()
	err := s.Run(ctx, MachineFunc[int](func(_ *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		ran++
		return fiber.Outcome{Kind: fiber.Done}
	}))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, ran) // it unwinds
	s.is(id.ID(), fiber.Dead)
}

func TestAResumeFromAnotherGoroutineGoesThroughTheInbox(t *testing.T) {
	s := newTestScheduler(t, Config{})
	id := s.spawnReady(Options{})
	s.pause(id)
	go func() {
		_ = s.Inbox().Do(func() { _ = s.Attachments().Resume(id.ID()) })
	}()
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(_ *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		return fiber.Outcome{Kind: fiber.Done}
	})))
}

func TestAPausedFiberDoesNotMoveAndADeadOneIsGone(t *testing.T) {
	s := newTestScheduler(t, Config{})
	id := s.spawnReady(Options{Movable: true})
	s.pause(id)
	_, err := s.Moves().MoveOut(id)
	require.ErrorIs(t, err, ErrImmovable)
	s.Poll()
	_, err = s.Moves().MoveOut(id)
	require.ErrorIs(t, err, ErrImmovable)
	require.Empty(t, s.Moves().MoveOutLast(3, nil))
	s.resume(id)
	s.mount(id)
	s.pause(id)
	s.KillCurrent()
	require.ErrorIs(t, s.Attachments().Pause(id.ID()), ErrGone)
	require.ErrorIs(t, s.Attachments().Resume(id.ID()), ErrGone)
	require.False(t, s.Inspect().Paused(id.ID()))
	require.EqualValues(t, lead, s.emptyAt) // nothing is paused any more
}

// A call that nests stands on the stack that drives the others: it returns before its fiber is held.
func TestAPinnedCallReturnsAlthoughItsFiberIsPaused(t *testing.T) {
	s := newTestScheduler(t, Config{})
	id := s.spawnRunning(Options{Nests: true})
	call := s.call()
	ticket := s.Arm(fiber.OnQueue())
	require.Equal(t, Pinned, s.Block())
	s.pause(id)
	s.delivers(ticket, fiber.Woken)
	s.Calls().Unpin()
	s.Claim()
	s.ReleaseTrampoline(call)
	s.YieldCurrent()
	require.False(t, s.Poll())
	s.resume(id)
	s.mount(id)
}

// A held fiber may end what a pump waits for.
func TestAPumpThatOnlyAHeldFiberCanEndWaits(t *testing.T) {
	s := newTestScheduler(t, Config{})
	held := s.spawnReady(Options{})
	s.pause(held)
	s.spawnRunning(Options{Nests: true})
	s.call()
	s.Arm(fiber.OnQueue())
	require.Equal(t, Pinned, s.Block())
	s.Poll()
	require.Equal(t, Waiting, s.Steps().IdleVerdict().Kind)
	require.Error(t, refusal(func() { _ = s.Calls().FailPinned() }))
	require.NoError(t, s.Kill(held.ID(), nil))
	s.Poll()
	require.Equal(t, Deadlock, s.Steps().IdleVerdict().Kind)
}

func TestTheVerifierFindsFibersThatAreHeldWrongly(t *testing.T) {
	held := func(s *auditFixture) uint32 {
		s.pause(fiber.NewRegularID(s.ready, s.at(s.ready).gen))
		s.run().endBatch()
		s.Core.ring.sift(1, 99, func(slot uint32) bool { return slot == s.ready })
		s.pauses.add(&s.pauses.own, s.ready)
		return s.ready
	}
	findAll(t, []damage{
		{"a fiber is held and has to unwind", "I9", func(s *auditFixture) {
			h := s.at(held(s))
			s.reg.ext(h).cause = ErrKilled
			h.set(killPending | reapable)
		}},
		{"a fiber is held and not paused", "I1", func(s *auditFixture) {
			s.reg.ext(s.at(held(s))).paused = false
			s.pauses.active--
			s.run().countPaused(0)
		}},
		{"a fiber is held twice", "I1", func(s *auditFixture) { s.Core.ring.push(held(s)) }},
		{"a blocked fiber is held", "I1", func(s *auditFixture) { s.pauses.add(&s.pauses.own, s.plain) }},
		{"a dead fiber is held", "I1", func(s *auditFixture) { s.pauses.add(&s.pauses.own, s.dead) }},
		{"a held fiber is in no list", "I1", func(s *auditFixture) { held(s); s.pauses.own = heldList{} }},
		{"a list of held fibers has no end", "I1", func(s *auditFixture) { held(s); s.pauses.own.last = 99 }},
		{"selection does not know of a pause", "I1", func(s *auditFixture) { held(s); s.emptyAt = lead }},
	})
}
