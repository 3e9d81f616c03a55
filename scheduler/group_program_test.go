package scheduler

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
)

func (g *testScheduler) program(name string, p *Program) *Group {
	of := g.group(nil, name, quota.Limits{})
	of.SetProgram(p)
	return of
}

// The others of its Group and of those below are killed before any of them runs again; the run, and the
// other programs, continue.
func TestAMainFiberEndsItsProgramOnly(t *testing.T) {
	boom := errors.New("boom")
	for name, end := range map[string]struct{ with, cause error }{
		"by a return":  {nil, ErrMainReturned},
		"by a failure": {boom, boom},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestScheduler(t, Config{})
			a, b := s.program("a", &Program{}), s.program("b", &Program{})
			part := s.group(a, "part", quota.Limits{})
			ended := map[string]error{}
			spawn := func(name string, o Options) fiber.RegularID {
				o.Ended = func(_ any, err error) { ended[name] = err }
				return s.spawnReady(o)
			}
			main := spawn("main", Options{Group: a, Main: true})
			spawn("ready", Options{Group: a})
			s.mount(spawn("waits", Options{Group: part}))
			s.blockIn(fiber.OnQueue())
			other := spawn("other", Options{Group: b})
			free := spawn("free", Options{})
			s.mount(main)
			_, err := s.Exit(nil, end.with)
			require.Equal(t, end.with, err)
			s.Poll()
			require.Len(t, ended, 3)
			require.ErrorIs(t, ended["ready"], end.cause)
			require.ErrorIs(t, ended["waits"], end.cause)
			s.is(other.ID(), fiber.Runnable)
			s.is(free.ID(), fiber.Runnable)
			_, err = s.SpawnWith(0, Options{Group: a})
			require.Equal(t, end.cause, err)
		})
	}
}

func TestTheMainFibersOfProgramsDoNotEndTheRun(t *testing.T) {
	s := newTestScheduler(t, Config{Linger: true})
	for _, name := range []string{"a", "b"} {
		of := s.program(name, &Program{})
		s.spawnReady(Options{Group: of, Main: true})
		s.spawnReady(Options{Group: of})
	}
	w := &worker{slices: 1000, ran: map[*Group]int64{}, steps: func(*Group) int64 { return 1 }}
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if s.reg.ext(s.cur).main {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return w.Resume(s, f)
	})))
	require.Zero(t, s.Inspect().Live())
}

// A program gets the failures of its fibers, as the scheduler does those of no program.
func TestAProgramIsToldOfItsUnobservedFailures(t *testing.T) {
	l := newFailureRecorder(t, Config{})
	var told []string
	guest := l.program("guest", &Program{Unobserved: func(e *UnobservedError) { told = append(told, e.Name+": "+e.Err.Error()) }})
	silent := l.program("silent", &Program{})
	fails := func(name string, in *Group, cell *ioqueue.Cell) {
		l.mount(l.spawnReady(Options{Name: name, Group: in, Cell: cell}))
		l.Exit(nil, errBoom)
	}
	read := new(ioqueue.Cell)
	fails("at once", guest, nil)
	fails("read", guest, read)
	fails("kept", l.group(guest, "part", quota.Limits{}), new(ioqueue.Cell))
	fails("dropped", silent, new(ioqueue.Cell))
	fails("dropped", silent, nil)
	require.Equal(t, []string{"at once: boom"}, told)
	read.Result()
	l.Steps().ReportUnobserved()
	silent.ReportUnobserved()
	guest.ReportUnobserved()
	guest.ReportUnobserved()
	require.Equal(t, []string{"at once: boom", "kept: boom"}, told)
	l.wantFailures()
}

// The contexts of a program have its values; the run's end does not reach them by that.
func TestTheFibersOfAProgramHaveItsContext(t *testing.T) {
	type key struct{}
	s := newTestScheduler(t, Config{})
	own := context.WithValue(context.Background(), key{}, "own")
	guest := s.program("guest", &Program{Context: own})
	s.mount(s.spawnReady(Options{Group: s.group(guest, "part", quota.Limits{})}))
	require.Equal(t, "own", s.Unwind().Context().Value(key{}))
	s.KillCurrent()
	s.mount(s.spawnReady(Options{Group: s.program("other", &Program{})}))
	require.Nil(t, s.Unwind().Context().Value(key{}))
	s.KillCurrent()
}

// What a wait without known holders waits for may come from any fiber of the Group, and from no other.
func TestTheDeadlockOfAGroupIsThatOfItsFibers(t *testing.T) {
	s := newTestScheduler(t, Config{})
	guest := s.program("guest", &Program{})
	require.Nil(t, guest.Deadlock(), "no fibers")
	busy := s.spawnReady(Options{})
	waits, sleeps := s.spawnReady(Options{Name: "waits", Group: guest}), s.spawnReady(Options{Name: "sleeps", Group: guest})
	s.mount(waits)
	s.blockIn(fiber.OnQueue())
	s.mount(sleeps)
	s.blockIn(fiber.Until(fiber.Time(time.Second)))
	require.Nil(t, guest.Deadlock(), "one has a deadline")
	require.Empty(t, guest.Report().Stuck)
	s.at(fiber.Time(time.Second))
	require.Nil(t, guest.Deadlock(), "one is ready")
	s.mount(sleeps)
	s.Claim()
	s.blockIn(fiber.OnQueue())
	require.NotNil(t, guest.Deadlock())
	require.Len(t, guest.Report().Stuck, 1)
	report := guest.Deadlock().Report
	require.Equal(t, []fiber.ID{waits.ID(), sleeps.ID()}, []fiber.ID{report.Fibers[0].ID, report.Fibers[1].ID})
	require.Empty(t, s.Inspect().Report().Stuck, "as far as the scheduler knows, the busy one may send")
	s.is(busy.ID(), fiber.Runnable)
	s.spawnReady(Options{Group: guest})
	require.Nil(t, guest.Deadlock())
	require.ErrorContains(t, refusal(func() { guest.SetProgram(nil) }), "VALID-ARGUMENT")
	guest.Kill(nil)
	s.Poll()
	require.Nil(t, guest.Deadlock())
}
