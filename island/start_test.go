package island_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/selvage-dev/selvage/wallclock"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// spinOrBlock is a machine whose fibers do what their payload says: 0 spin, 1 block.
var spinOrBlock = scheduler.MachineFunc[int](func(_ *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
	if f.Data == 1 {
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
})

func TestAStartedIslandEndsWithTheCauseOfItsShutdown(t *testing.T) {
	r := new(island.Registry)
	var ended []error
	h, err := island.Start(r, island.StartConfig[int]{
		Config:  island.Config{Name: "mill"},
		Machine: spinOrBlock,
		Begin: func(h *island.Handle[int]) error {
			for data := range 2 {
				o := scheduler.Options{Ended: func(_ any, err error) { ended = append(ended, err) }}
				if _, err := h.Scheduler.SpawnWith(data, o); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	cause := errors.New("stopped")
	h.Shutdown(cause)
	require.ErrorIs(t, h.Wait(t.Context()), cause)
	require.Len(t, ended, 2)
	for _, err := range ended {
		require.ErrorIs(t, err, cause, "a fiber learns why")
	}
	_, err = r.Find("mill")
	require.ErrorIs(t, err, island.ErrUnknown)
}

func TestAnIslandWithProgramsRunsWithoutFibers(t *testing.T) {
	r := new(island.Registry)
	h, err := island.Start(r, island.StartConfig[int]{
		Config:     island.Config{Name: "mill"},
		LockThread: true,
		Machine: scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			return fiber.Outcome{Kind: fiber.Done}
		}),
		Spawn: map[string]func([]byte) (int, scheduler.Options, error){
			"grind": func(args []byte) (int, scheduler.Options, error) { return len(args), scheduler.Options{}, nil },
		},
	})
	require.NoError(t, err)
	for range 3 {
		id, err := h.Do(t.Context(), island.Spawn(h.Address(), "grind", []byte("corn")))
		require.NoError(t, err)
		require.NotZero(t, id)
	}
	_, err = h.Do(t.Context(), island.Shutdown(h.Address(), "enough"))
	require.NoError(t, err)
	require.EqualError(t, h.Wait(t.Context()), "enough")
}

func TestStartReturnsTheErrorOfBegin(t *testing.T) {
	r := new(island.Registry)
	plan := island.StartConfig[int]{Config: island.Config{Name: "mill"}, Machine: spinOrBlock}
	_, err := island.Start(r, island.StartConfig[int]{})
	require.ErrorIs(t, err, island.ErrRequest)

	broken := errors.New("no water")
	plan.Begin = func(*island.Handle[int]) error { return broken }
	_, err = island.Start(r, plan)
	require.ErrorIs(t, err, broken)
	plan.Begin = func(*island.Handle[int]) error { panic(broken) }
	_, err = island.Start(r, plan)
	require.ErrorAs(t, err, new(*scheduler.PanicError))
	require.Empty(t, r.Islands())
}

func TestAPanicOfTheMachineEndsTheIsland(t *testing.T) {
	r := new(island.Registry)
	h, err := island.Start(r, island.StartConfig[int]{
		Config:  island.Config{Name: "mill"},
		Machine: scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome { panic("the wheel broke") }),
		Begin:   func(h *island.Handle[int]) error { _, err := h.Scheduler.Spawn(0); return err },
	})
	require.NoError(t, err)
	var p *scheduler.PanicError
	require.ErrorAs(t, h.Wait(t.Context()), &p)
	require.Equal(t, "the wheel broke", p.Value)
	require.Empty(t, r.Islands())
}

// The island has to leave also then: other islands wait for its end, and its name is free again.
func TestAnIslandEndsIfTheProgramCallsGoexit(t *testing.T) {
	r := new(island.Registry)
	plan := island.StartConfig[int]{
		Config: island.Config{Name: "mill"},
		Machine: scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			runtime.Goexit()
			panic("it returned")
		}),
		Begin: func(h *island.Handle[int]) error { _, err := h.Scheduler.Spawn(0); return err },
	}
	goexit := func(err error) {
		t.Helper()
		var p *scheduler.PanicError
		require.ErrorAs(t, err, &p)
		require.Nil(t, p.Value)
		require.ErrorContains(t, err, "runtime.Goexit was called")
		require.Empty(t, r.Islands())
	}
	h, err := island.Start(r, plan)
	require.NoError(t, err)
	goexit(h.Wait(t.Context()))
	_, err = h.Do(t.Context(), island.Shutdown(h.Address(), ""))
	require.ErrorIs(t, err, island.ErrDown)
	require.ErrorIs(t, h.Scheduler.Inbox().Kill(0, nil), scheduler.ErrStopped, "the scheduler is not closed")

	plan.Begin = func(*island.Handle[int]) error { runtime.Goexit(); return nil }
	_, err = island.Start(r, plan)
	goexit(err)
}

// Blocked, runnable, and parked or pinned in native calls: all end, and so does every
// goroutine.
func TestAShutdownEndsAllFibers(t *testing.T) {
	known := goleak.IgnoreCurrent()
	r := new(island.Registry)
	b, peer := islandtest.Start(t, r, "b", island.Config{}), islandtest.Start(t, r, "peer", island.Config{})
	p, never := islandtest.Open[int](b, "p", 1), wait.NewChan[int](0)
	s := islandtest.Dial[int](peer, "p")
	cause := errors.New("stopped")
	ready := make(chan struct{}, 8)
	waits := func(f *stackful.Fiber) error { ready <- struct{}{}; _, _, err := stackful.Recv(f, never); return err }
	all := map[string]<-chan error{
		"blocked": b.Go("blocked", waits),
		"at the port": b.Go("at the port", func(f *stackful.Fiber) error {
			ready <- struct{}{}
			_, _, err := islandtest.Receive(f, p)
			return err
		}),
		"runnable": b.Go("runnable", func(f *stackful.Fiber) error {
			ready <- struct{}{}
			for {
				if err := f.Yield(); err != nil {
					return err
				}
			}
		}),
		"in a native call": b.Go("in a native call", func(f *stackful.Fiber) error {
			_, err := f.Call(func(f *stackful.Fiber) (any, error) { return nil, waits(f) })
			return err
		}),
	}
	for range all {
		<-ready
	}
	sender := peer.Go("remote", func(f *stackful.Fiber) error {
		for {
			if err := islandtest.Send(f, s, 1); err != nil {
				return err
			}
		}
	})
	b.Stop(cause)
	for name, ended := range all {
		require.ErrorIs(t, <-ended, cause, name)
	}
	require.ErrorIs(t, <-sender, island.ErrDown)
	peer.Stop(nil)
	goleak.VerifyNone(t, known)
}

// A call that pumps serves its island too.
func TestANestedNativeCallReceivesFromAnotherIsland(t *testing.T) {
	r := new(island.Registry)
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Number: r.Number(), Clock: wallclock.New()}, Nesting: true})
	defer rt.Close()
	i, err := r.Join(&rt.Scheduler().Core, island.Config{Name: "nested"})
	require.NoError(t, err)
	defer i.Leave(nil)
	p, err := island.Open[int](i, "p", 1)
	require.NoError(t, err)
	away := islandtest.Start(t, r, "away", island.Config{})
	s := islandtest.Dial[int](away, "p")
	inside := make(chan struct{})
	sent := away.Go("send", func(f *stackful.Fiber) error { <-inside; return islandtest.Send(f, s, 42) })
	var got any
	_, err = rt.Go("root", func(f *stackful.Fiber) (_ any, err error) {
		got, err = f.Call(func(f *stackful.Fiber) (any, error) {
			close(inside)
			v, _, err := islandtest.Receive(f, p)
			return v, err
		})
		return nil, err
	})
	require.NoError(t, err)
	require.NoError(t, rt.Run(t.Context()))
	require.Equal(t, 42, got)
	require.NoError(t, <-sent)
}
