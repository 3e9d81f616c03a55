package islands_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/islands"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

// step is the only slice of a fiber, which waits at its end if it has armed a wait.
type step func(s *scheduler.Scheduler[step])

var machine = scheduler.MachineFunc[step](func(s *scheduler.Scheduler[step], f *scheduler.Fiber[step]) fiber.Outcome {
	if f.Data == nil {
		return fiber.Outcome{Kind: fiber.Done}
	}
	f.Data(s)
	f.Data = nil
	if s.Inspect().Armed() {
		return fiber.BlockOn(fiber.OnQueue())
	}
	return fiber.Outcome{Kind: fiber.Done}
})

// start starts an island, which goes on until the end of the test.
func start(t *testing.T, r *island.Registry, name string, begin func(h *island.Handle[step]) error) *island.Handle[step] {
	h, err := island.Start(r, island.StartConfig[step]{Config: island.Config{Name: name, KeepAlive: true, ProbeAfter: -1}, Machine: machine, Begin: begin})
	require.NoError(t, err)
	t.Cleanup(func() {
		h.Shutdown(nil)
		_ = h.Wait(long.Context(t))
	})
	return h
}

// set is a port of "home" that is empty, and one that is full, to both of which "away" sends; a fiber waits at
// each.
func set(t *testing.T) *island.Registry {
	r := new(island.Registry)
	start(t, r, "home", func(h *island.Handle[step]) error {
		empty, err := island.Open[int](h.Island, "empty", 1)
		if err != nil {
			return err
		}
		if _, err := island.Open[int](h.Island, "full", 2); err != nil {
			return err
		}
		_, err = h.Scheduler.Spawn(func(s *scheduler.Scheduler[step]) { _ = empty.ParkRecv(s.ArmOn(empty.Source()), 0) })
		return err
	})
	start(t, r, "away", func(h *island.Handle[step]) error {
		if _, err := island.Dial[int](h.Island, "empty"); err != nil {
			return err
		}
		full, err := island.Dial[int](h.Island, "full")
		if err != nil {
			return err
		}
		_, err = h.Scheduler.Spawn(func(s *scheduler.Scheduler[step]) {
			for sent := true; sent; sent, _ = full.TrySend(1) {
			}
			_ = full.ParkSend(s.ArmOn(full.Source()), 1, 0)
		})
		return err
	})
	return r
}

func TestASetReportHasThePortsAndWhichIslandWaitsAtWhich(t *testing.T) {
	r := set(t)
	var s *inspect.SetReport
	// Until both parts are of a moment after both fibers have come to their waits.
	for s == nil || len(s.Waits) < 2 || len(s.Ports[0].Senders) == 0 || s.Ports[1].Values < 2 {
		s = inspect.NewSetReport(long.Context(t), islands.Of(r), inspect.Page{})
	}
	require.Equal(t, []inspect.Port{
		{Name: "empty", Part: 0, Capacity: 1, Receivers: 1, Senders: []inspect.PortSender{{Part: new(1)}}},
		{Name: "full", Part: 0, Capacity: 2, Values: 2, Senders: []inspect.PortSender{{Part: new(1), Values: 2, Waiting: 1}}},
	}, s.Ports)
	require.Equal(t, []inspect.PortWait{{Part: 0, Port: 0, For: "values", Fibers: 1}, {Part: 1, Port: 1, For: "room", Fibers: 1}}, s.Waits)
	for i, name := range []string{"home", "away"} {
		p := s.Parts[i]
		require.Equal(t, name, p.Name)
		require.Equal(t, p.Report.Transitions, p.Transitions)
		require.Equal(t, 1, p.Blocked)
		require.Len(t, p.Report.Edges, 1)
		require.Contains(t, p.Report.Objects[0].Name, `port "`+s.Ports[i].Name+`"`)
	}
}

// The owner of the third does not poll.
func TestAPartWhoseOwnerDoesNotAnswerIsMissing(t *testing.T) {
	r := set(t)
	silent := scheduler.New[step](scheduler.Config{Number: r.Number()})
	_, err := r.Join(&silent.Core, island.Config{Name: "silent"})
	require.NoError(t, err)
	closed := scheduler.New[step](scheduler.Config{})
	closed.Close()

	answered := make(chan struct{})
	ctx, end := context.WithCancelCause(t.Context())
	all := islands.Of(r)
	ends := all[1].Ends
	all[1].Ends = func() []inspect.End { defer close(answered); return ends() }
	var asked sync.WaitGroup
	asked.Go(func() { <-answered; end(errors.New("that was enough")) })
	s := inspect.NewSetReport(ctx, append(all, inspect.Scheduler{Name: "closed", Core: &closed.Core}), inspect.Page{})
	asked.Wait()
	require.Len(t, s.Parts, 4)
	require.Equal(t, inspect.Part{Name: "silent", Missing: "it has not answered: that was enough"}, s.Parts[2])
	require.Equal(t, "closed", s.Parts[3].Name)
	require.Contains(t, s.Parts[3].Missing, scheduler.ErrStopped.Error())
}

func TestTheWorkersOfAPoolAreThereWithTheFibersThatMoved(t *testing.T) {
	for name, r := range map[string]*island.Registry{"a pool alone": nil, "islands": new(island.Registry)} {
		t.Run(name, func(t *testing.T) {
			p, err := pool.New(pool.Config[step]{Workers: 2, Machine: func(int) scheduler.Machine[step] { return machine }, Registry: r})
			require.NoError(t, err)
			moves := p.Schedulers()
			_, err = moves[0].SpawnWith(nil, scheduler.Options{Movable: true})
			require.NoError(t, err)
			for _, moved := range moves[0].Moves().MoveOutLast(1, nil) {
				_, err := moves[1].Moves().MoveIn(moved)
				require.NoError(t, err)
			}
			all := islands.Workers(p)
			for i := range all {
				all[i].Mine = true
			}
			s := inspect.NewSetReport(t.Context(), all, inspect.Page{})
			require.Equal(t, []string{"worker 0", "worker 1"}, []string{s.Parts[0].Name, s.Parts[1].Name})
			require.Equal(t, []uint64{0, 1, 1, 0}, []uint64{s.Parts[0].MovedIn, s.Parts[0].MovedOut, s.Parts[1].MovedIn, s.Parts[1].MovedOut})
			require.Equal(t, []int{0, 1}, []int{s.Parts[0].Ready, s.Parts[1].Ready})
			require.NoError(t, p.Run(t.Context()))
		})
	}
}

// A pool is asked while its workers run: each answers between two slices.
func TestTheWorkersOfARunningPoolAnswer(t *testing.T) {
	p, err := pool.New(pool.Config[step]{Workers: 2, Machine: func(int) scheduler.Machine[step] { return machine }})
	require.NoError(t, err)
	release := p.Hold()
	var running sync.WaitGroup
	running.Go(func() { require.NoError(t, p.Run(context.Background())) })
	for range 20 {
		s := inspect.NewSetReport(long.Context(t), islands.Workers(p), inspect.Page{})
		require.Equal(t, []string{"", ""}, []string{s.Parts[0].Missing, s.Parts[1].Missing})
	}
	release()
	running.Wait()
}
