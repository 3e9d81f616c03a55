//go:build invariants

package scheduler

import (
	"context"
	"reflect"
	"slices"
	"strings"
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
	before := g.Inspect().Dump()
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
	require.Equal(t, before, g.Inspect().Dump(), "a refused call has changed nothing")
	g.YieldCurrent()
}

// unowned are the exported methods that any goroutine may call, and those that only look.
var unowned = strings.Fields(`
Scheduler.Attachments Scheduler.Calls Scheduler.Choices Choices.On Scheduler.Inbox Scheduler.Inspect Scheduler.Moves Scheduler.Ops
Scheduler.Steps Scheduler.Unwind
Scheduler.Start Attachments.NewWaker Inbox.Cancel Inbox.Complete Inbox.Deliver Inbox.Do Inbox.Kill
Inbox.NewSender Inbox.Notify Inbox.Queued Inbox.SendersOpened Inbox.Waiting Waker.Wake Waker.WakeOnly

Scheduler.Current Scheduler.Fiber Scheduler.HasBlocked Scheduler.HasIOWaiters Scheduler.HasWork
Attachments.TimerRoom Attachments.WaitRoom Calls.Frames Calls.Nests Calls.Pinned Inspect.Armed
Inspect.Blocked Inspect.Budget Inspect.ChainOf Inspect.ContractError Inspect.Counts Inspect.Dump
Inspect.Executing Inspect.FibersByState Inspect.OperationsByState Inspect.Unrecorded Inspect.Wait
Inspect.Lingers Inspect.Live Inspect.LiveTrampolines Inspect.Lookup Inspect.Name Inspect.Number Inspect.Poisoned
Inspect.Random Inspect.Ready Inspect.Reason Inspect.Recent Inspect.State
Inspect.Transitions Moves.Lent Ops.Counters Ops.Outstanding Ops.Room Unwind.Cancelled Unwind.Cause
Unwind.Handed Unwind.KillPending Unwind.UnwindCause Loop.CheckStop Loop.Finished Loop.Stopping Loop.StopCause
Group.Account Group.Fibers Group.Paused Group.Program Group.Shutdown Inspect.Group Inspect.Paused Inspect.Site
Waker.Source`)

// Every exported method that changes anything is refused, with zero arguments and with good ones.
func TestEveryOperationOfASecondGoroutineIsNamed(t *testing.T) {
	for name, of := range receivers {
		if name == "Handle" {
			continue // it is for any goroutine, and waits
		}
		for i := range reflect.TypeOf(of(New[int](Config{}))).NumMethod() {
			for _, good := range [][]any{nil, {context.Background(), MachineFunc[int](sleeper), new(fakeSource), new(testLink),
				new(ownerHook), new(ioqueue.Completion), func(fiber.Token) error { t.Error("a device began"); return nil }}} {
				s := New[int](Config{})
				receiver := reflect.ValueOf(of(s))
				_, err := s.Spawn(0)
				require.NoError(t, err)
				s.Poll()
				s.ScheduleNext()
				before := s.Inspect().Dump()
				e := elsewhere(func() { callWith(receiver.Method(i), good) })
				if call := name + "." + receiver.Type().Method(i).Name; slices.Contains(unowned, call) {
					require.False(t, e != nil && e.Rule == rule.OneOwner, "%s is refused: it is not unowned", call)
				} else {
					require.NotNil(t, e, "%s went unseen", call)
					require.Equal(t, rule.OneOwner, e.Rule, "%s: %v", call, e)
					require.Equal(t, before, s.Inspect().Dump(), "%s has changed something", call)
				}
			}
		}
	}
}

// callWith calls a method with the first good value for each parameter, or zero.
func callWith(method reflect.Value, good []any) {
	in := make([]reflect.Value, method.Type().NumIn())
	for i := range in {
		in[i] = reflect.Zero(method.Type().In(i))
		for _, v := range slices.Backward(good) {
			if reflect.TypeOf(v).AssignableTo(method.Type().In(i)) {
				in[i] = reflect.ValueOf(v)
			}
		}
	}
	if method.Type().IsVariadic() {
		method.CallSlice(in)
		return
	}
	method.Call(in)
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
