package scheduler

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
)

func (g *testScheduler) group(parent *Group, name string, l quota.Limits) *Group {
	return g.Attachments().NewGroup(parent, name, l)
}

// passes checks that the error is that of a quota.
func passes(t *testing.T, err error, of string, r quota.Resource) {
	t.Helper()
	var passed *quota.Error
	require.ErrorAs(t, err, &passed)
	require.Equal(t, of, passed.Account)
	require.Equal(t, r, passed.Resource)
}

func TestAFiberBelongsToTheGroupOfTheFiberThatSpawnedIt(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	s.spawnRunning(Options{})
	require.Nil(t, s.Inspect().Group(s.spawnReady(Options{}).ID()))
	first := s.spawnReady(Options{Group: guest})
	s.YieldCurrent()
	s.mount(first)
	second, _ := s.Spawn(0)
	third, _ := s.Fork(0)
	fourth := s.spawnReady(Options{Group: part})
	call := s.call()
	for _, id := range []fiber.ID{first.ID(), second.ID(), third.ID(), call.ID()} {
		require.Same(t, guest, s.Inspect().Group(id))
	}
	require.Same(t, part, s.Inspect().Group(fourth.ID()))
	require.Equal(t, []fiber.RegularID{first, second, third, fourth}, slices.Collect(guest.Fibers()))
	require.Equal(t, []fiber.RegularID{fourth}, slices.Collect(part.Fibers()))
	require.EqualValues(t, 4, guest.Spent().Fibers)
	s.ReleaseTrampoline(call)
	s.KillCurrent()
	require.Nil(t, s.Inspect().Group(first.ID()))
	s.mount(fourth)
	s.KillCurrent()
	require.Equal(t, []fiber.RegularID{second, third}, slices.Collect(guest.Fibers()))
}

// The kills are in slot order, reach the Groups below and no other fiber, and the Group gets no
// fibers afterwards.
func TestAKilledGroupEndsWithAllBelowIt(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	part := s.group(guest, "part", quota.Limits{})
	var ended []error
	note := func(_ any, err error) { ended = append(ended, err) }
	other := s.spawnReady(Options{})
	waits := s.spawnBlocked(Options{Group: guest, Ended: note}, fiber.OnQueue())
	framed := s.spawnReady(Options{Group: part, Ended: note, Frames: true})
	running := s.spawnRunning(Options{Group: part, Ended: note})
	boom := errors.New("boom")
	part.Kill(boom)
	guest.Kill(errors.New("later"))
	s.is(waits.ID, fiber.Dead)
	s.Finish(fiber.Outcome{Kind: fiber.FrameChanged})
	s.is(running.ID(), fiber.Dead)
	s.mount(framed)
	_, cause := s.TakeInterrupt()
	require.ErrorIs(t, cause, boom)
	s.KillCurrent()
	require.Len(t, ended, 3)
	require.ErrorIs(t, ended[1], boom)
	require.ErrorIs(t, ended[2], boom)
	_, err := s.SpawnWith(0, Options{Group: part})
	require.Equal(t, boom, err)
	s.is(other.ID(), fiber.Runnable)
	none := s.group(nil, "", quota.Limits{})
	none.Kill(nil)
	_, err = s.SpawnWith(0, Options{Group: none})
	require.Equal(t, ErrKilled, err)
}

// Each resource that the scheduler takes: N pass, the next one ends the Group, and only that.
func TestEachQuotaAdmitsExactlyItsNumber(t *testing.T) {
	const n = 3
	for name, tc := range map[string]struct {
		limits   quota.Limits
		resource quota.Resource
		use      func(s *testScheduler) error // one of the resource, by the current fiber
	}{
		"fibers": {quota.Limits{Fibers: n + 1}, quota.Fibers, func(s *testScheduler) error {
			_, err := s.Spawn(0)
			return err
		}},
		"alarms": {quota.Limits{Timers: n}, quota.Timers, func(s *testScheduler) error {
			if err := s.Attachments().TimerRoom(); err != nil {
				return err
			}
			s.Attachments().SetAlarm(&testAlarm{at: 1000})
			return nil
		}},
		"operations": {quota.Limits{Operations: n}, quota.Operations, func(s *testScheduler) error {
			_, err := s.Ops().Submit()
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestScheduler(t, Config{})
			other := s.spawnReady(Options{})
			guest := s.group(nil, "guest", tc.limits)
			part := s.group(guest, "part", quota.Limits{})
			s.spawnRunning(Options{Group: part, Frames: true})
			for range n {
				require.NoError(t, tc.use(s))
				s.Inspect().Verify()
			}
			passes(t, tc.use(s), "guest", tc.resource)
			_, cause := s.TakeInterrupt()
			passes(t, cause, "guest", tc.resource)
			for _, g := range []*Group{guest, part} {
				_, err := s.SpawnWith(0, Options{Group: g})
				passes(t, err, "guest", tc.resource)
			}
			s.KillCurrent()
			s.is(other.ID(), fiber.Runnable)
		})
	}
}

// A deadline is taken when its wait is armed and given back however it ends; so is an operation, when
// its result is collected or, if it was abandoned, when its device says so.
func TestWhatIsOverIsGivenBack(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{Timers: 1, Operations: 1})
	timers := func() int64 { return guest.Spent().Timers }
	s.spawnRunning(Options{Group: guest})
	s.Arm(fiber.Until(5))
	require.EqualValues(t, 1, timers())
	s.Disarm()
	require.Zero(t, timers())
	s.blockIn(fiber.Until(5))
	s.at(5)
	s.next()
	require.Zero(t, timers())
	call := s.call() // a native call counts to the Group of its root
	w := s.blockIn(fiber.OnQueue().WithDeadline(9))
	require.EqualValues(t, 1, timers())
	s.Deliver(w, ok)
	s.next()
	s.Claim()
	s.ReleaseTrampoline(call)
	require.Zero(t, timers())

	tok := s.submit()
	s.Ops().Complete(tok, ioqueue.Completion{})
	require.EqualValues(t, 1, guest.Spent().Operations)
	_, _ = s.Ops().Completion(tok)
	require.Zero(t, guest.Spent().Operations)
	tok = s.submit()
	s.blockIn(fiber.OnIO(tok).WithDeadline(7))
	s.at(7)
	require.EqualValues(t, 1, guest.Spent().Operations)
	s.Ops().Complete(tok, ioqueue.Completion{})
	require.Zero(t, guest.Spent().Operations)

	alarm := &testAlarm{at: 20}
	s.next()
	s.Attachments().SetAlarm(alarm)
	alarm.at = 30
	s.Attachments().SetAlarm(alarm) // the same timer
	require.EqualValues(t, 1, timers())
	alarm.at = fiber.Never
	s.Attachments().SetAlarm(alarm)
	require.Zero(t, timers())
	alarm.at = 40
	s.Attachments().SetAlarm(alarm)
	s.KillCurrent()
	require.EqualValues(t, 1, timers())
	s.at(40)
	require.Zero(t, timers())
	require.Zero(t, guest.Spent().Fibers)
}

// Time runs while the Group has fibers. Its limit ends them, wakes a loop that waits for something
// else, and keeps no run alive.
func TestTheTimeOfAGroupIsThatOfItsFibers(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{Time: 10})
	spend := func(from, to fiber.Time) {
		s.at(from)
		w := s.spawnBlocked(Options{Group: guest}, fiber.OnQueue().FromOutside())
		require.Equal(t, Waiting, s.Steps().IdleVerdict().Kind)
		require.Equal(t, from+10-fiber.Time(guest.Spent().Time), s.Steps().IdleVerdict().Until)
		s.at(to)
		if s.Inspect().State(w.ID) != fiber.Dead {
			s.Deliver(w, ok)
			s.next()
			s.KillCurrent()
		}
	}
	spend(5, 11)
	spend(100, 103)
	require.Equal(t, 9*time.Nanosecond, guest.Spent().Time)
	other := s.spawnBlocked(Options{}, fiber.OnQueue())
	spend(200, 201)
	s.is(other.ID, fiber.Blocked)
	_, err := s.SpawnWith(0, Options{Group: guest})
	passes(t, err, "guest", quota.Time)
	require.Equal(t, 10*time.Nanosecond, guest.Spent().Time)

	s.spawnBlocked(Options{Group: s.group(nil, "idle", quota.Limits{Time: 10})}, fiber.OnQueue())
	require.Equal(t, Deadlock, s.Steps().IdleVerdict().Kind)
}

// What a host takes ends the Group nearest to the root whose quota it passes, and the run of a main
// fiber in it ends with the quota's error.
func TestAHostTakesSteps(t *testing.T) {
	s := New[int](Config{})
	guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{Steps: 10, Output: 5})
	part := s.Attachments().NewGroup(guest, "part", quota.Limits{Steps: 2})
	var ended error
	_, _ = s.SpawnWith(0, Options{Group: guest, Main: true})
	_, _ = s.SpawnWith(1, Options{Group: part, Ended: func(_ any, err error) { ended = err }})
	var slices [2]int
	err := s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		slices[f.Data]++
		_ = s.Inspect().Group(s.Current()).Take(quota.Steps, 2)
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}))
	passes(t, err, "guest", quota.Steps)
	passes(t, ended, "part", quota.Steps)
	require.Equal(t, [2]int{5, 2}, slices)
	require.Equal(t, quota.Spent{Steps: 10}, guest.Spent())
	require.Equal(t, quota.Spent{Steps: 2}, part.Spent())
	require.Equal(t, guest.Account().Passed(), guest.Take(quota.Output, 6))
	require.NoError(t, (*Group)(nil).Take(quota.Steps, 1))
}

func TestAGroupIsOfOneSchedulerAndItsHostTakesOnlyWhatIsTheHosts(t *testing.T) {
	s, other := newTestScheduler(t, Config{}), newTestScheduler(t, Config{})
	guest := s.group(nil, "guest", quota.Limits{})
	other.refuses("SAME-SCHEDULER", op.Spawn, func() { _, _ = other.SpawnWith(0, Options{Group: guest}) })
	s.refuses("VALID-ARGUMENT", op.Note, func() { s.Attachments().NewGroupOf(nil) })
	other.refuses("SAME-SCHEDULER", op.Note, func() { other.group(guest, "", quota.Limits{}) })
	for _, r := range []quota.Resource{quota.Fibers, quota.Timers, quota.Operations, quota.Time} {
		s.refuses("VALID-ARGUMENT", op.Note, func() { _ = guest.Take(r, 1) })
	}
	s.refuses("VALID-ARGUMENT", op.Note, func() { _ = guest.Take(quota.Steps, -1) })
}
