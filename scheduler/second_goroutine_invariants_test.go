//go:build invariants

package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// visitedClock has another goroutine call the scheduler while the owner waits.
type visitedClock struct {
	*VirtualClock
	call func()
	seen any
}

func (c *visitedClock) Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) {
	left := make(chan struct{})
	go func() {
		defer close(left)
		defer func() { c.seen = recover() }()
		c.call()
	}()
	<-left
	c.VirtualClock.Wait(ctx, until, wakeCh)
}

func TestACallOfASecondGoroutineBesideAWaitingOwnerIsNamed(t *testing.T) {
	for call, of := range map[Op]func(s *Scheduler[int], id fiber.ID){
		op.Spawn:  func(s *Scheduler[int], _ fiber.ID) { _, _ = s.SpawnWith(1, Options{}) },
		op.Wake:   func(s *Scheduler[int], id fiber.ID) { s.Wake(id) },
		op.Cancel: func(s *Scheduler[int], id fiber.ID) { _ = s.Cancel(id, nil) },
		op.Kill:   func(s *Scheduler[int], id fiber.ID) { _ = s.Kill(id, nil) },
	} {
		clock := &visitedClock{VirtualClock: NewVirtualClock()}
		s := New[int](Config{Clock: clock})
		id, err := s.Spawn(1)
		require.NoError(t, err)
		clock.call = func() { of(s, id.ID()) }
		require.NoError(t, s.Run(context.Background(), MachineFunc[int](sleeper)))
		e, ok := clock.seen.(*ContractError)
		require.True(t, ok, "%v: %v", call, clock.seen)
		require.Equal(t, rule.OneOwner, e.Rule)
		require.Equal(t, call, e.Op)
		require.Contains(t, e.Fix, "another goroutine called "+call.String())
	}
}

// elsewhere calls f on another goroutine, waits for it, and returns how it was refused.
func elsewhere(f func()) *ContractError {
	seen := make(chan *ContractError)
	go func() { seen <- refusal(f) }()
	return <-seen
}

func TestACallOfASecondGoroutineBetweenTwoOperationsOfASliceIsNamed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	other := g.spawnReady(Options{})
	blocked := g.spawnBlocked(Options{}, fiber.OnQueue(), new(fakeSource))
	g.spawnRunning(Options{})
	before := g.Inspect().Snapshot()
	for call, intrude := range overlappingCalls(g, blocked.ID) {
		e := elsewhere(intrude)
		require.NotNil(t, e, "%v went unseen", call)
		require.Equal(t, rule.OneOwner, e.Rule, "%v", e)
		require.Equal(t, call, e.Op)
		require.Contains(t, e.Fix, "another goroutine called "+call.String()+" during the slice of "+g.Current().String())
	}
	for name, intrude := range otherCalls(g, other) {
		e := elsewhere(intrude)
		require.NotNil(t, e, "%s went unseen", name)
		require.Equal(t, rule.OneOwner, e.Rule, "%s: %v", name, e)
	}
	require.Equal(t, before, g.Inspect().Snapshot(), "a refused call has changed nothing")
	g.YieldCurrent()
}

func TestTheHotCallsOfASecondGoroutineAreNamedToo(t *testing.T) {
	g := newTestScheduler(t, Config{})
	src := new(fakeSource)
	blocked := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnRunning(Options{})
	for name, call := range map[string]func(){
		"ScheduleNext":    func() { g.ScheduleNext() },
		"YieldCurrent":    g.YieldCurrent,
		"ArmForQueue":     func() { g.ArmForQueue() },
		"ArmOn":           func() { g.ArmOn(src) },
		"Block":           func() { g.Block() },
		"BlockForQueue":   func() { g.BlockForQueue() },
		"BlockOn":         func() { g.BlockOn(src) },
		"BlockForIO":      func() { g.BlockForIO(0) },
		"Apply":           func() { g.Apply(fiber.Wakeup{Ticket: blocked, Result: ok}) },
		"Spawn":           func() { _, _ = g.Scheduler.Spawn(0) },
		"Fork":            func() { _, _ = g.Fork(0) },
		"KillCurrent":     func() { _, _ = g.KillCurrent() },
		"TakeInterrupt":   func() { g.TakeInterrupt() },
		"Now":             func() { g.Now() },
		"CompleteFrom":    func() { g.Ops().CompleteFrom(0, new(ioqueue.Completion)) },
		"Verify":          g.Inspect().Verify,
		"Run":             func() { _ = g.Run(context.Background(), MachineFunc[int](sleeper)) },
		"Begin and Close": func() { g.Steps().Begin(context.Background()).Close() },
	} {
		e := elsewhere(call)
		require.NotNil(t, e, "%s went unseen", name)
		require.Equal(t, rule.OneOwner, e.Rule, "%s: %v", name, e)
	}
	g.YieldCurrent()
}

func TestASecondGoroutineBetweenTheSlicesOfARunIsNamed(t *testing.T) {
	s := New[int](Config{})
	l := s.Steps().Begin(context.Background())
	e := elsewhere(func() { _, _ = s.Spawn(1) })
	require.NotNil(t, e)
	require.Contains(t, e.Fix, "another goroutine called Spawn in the middle of a run")
	l.Close()
	require.Nil(t, elsewhere(func() { _, _ = s.Spawn(1) }), "a run that has ended has no owner")
	_, err := s.Spawn(1)
	require.NoError(t, err)
}

func TestARefusedCallOfASecondGoroutineLeavesTheRunGoingOn(t *testing.T) {
	s := New[int](Config{})
	_, err := s.Spawn(1)
	require.NoError(t, err)
	slices := 0
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		require.NotNil(t, elsewhere(func() { _, _ = s.Spawn(2) }))
		if slices++; slices < 3 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		return fiber.Outcome{Kind: fiber.Done}
	})))
	require.Equal(t, 3, slices)
	require.Equal(t, uint64(1), s.Inspect().Counts().Spawned)
}

// Any goroutine may use a scheduler next when no slice and no run is under way.
func TestASchedulerMayBeHandedOverBetweenSlices(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 3 {
		require.Nil(t, elsewhere(func() {
			g.spawnRunning(Options{})
			g.YieldCurrent()
		}))
		g.Poll()
	}
}

// A host whose fibers have frames on goroutines of its own hands its slices over unseen.
func TestASliceWithFramesOfTheHostMayRunOnItsGoroutine(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Frames: true})
	require.Nil(t, elsewhere(func() { g.Arm(fiber.OnQueue()); g.Disarm() }))
	g.YieldCurrent()
	require.NotNil(t, func() *ContractError {
		g.spawnRunning(Options{})
		defer g.YieldCurrent()
		return elsewhere(g.YieldCurrent)
	}())
}
