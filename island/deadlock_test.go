package island_test

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/require"
)

// ring opens a sealed port on each island for the one before it.
func ring(all []*islandtest.Running) (ports []*island.Port[int], senders []*island.Sender[int]) {
	for _, b := range all {
		ports = append(ports, islandtest.Open[int](b, "to "+b.Name(), 1))
	}
	for k, b := range all {
		next := all[(k+1)%len(all)]
		senders = append(senders, islandtest.Dial[int](b, "to "+next.Name()))
	}
	for k, b := range all {
		b.Own(ports[k].Seal)
	}
	return ports, senders
}

func startAll(t *testing.T, r *island.Registry, names ...string) (all []*islandtest.Running) {
	for _, name := range names {
		all = append(all, islandtest.Start(t, r, name, island.Config{}))
	}
	return all
}

func TestADeadlockAcrossIslandsIsReported(t *testing.T) {
	r := new(island.Registry)
	all := startAll(t, r, "ada", "bob", "cyd")
	ports, senders := ring(all)
	for k, b := range all {
		b.Go("waits in "+b.Name(), func(f *stackful.Fiber) error {
			v, _, err := islandtest.Receive(f, ports[k]) // each waits for the one before to begin
			if err != nil {
				return err
			}
			return islandtest.Send(f, senders[k], v+1)
		})
	}
	for _, b := range all {
		b.Hold.Close() // nothing outside can wake them
	}
	for _, b := range all {
		<-b.Done
		require.ErrorAs(t, b.Err, new(*scheduler.DeadlockError), b.Name())
		e := b.Deadlock()
		require.NotNil(t, e, b.Name())
		require.Len(t, e.Islands, 3)
		require.Equal(t, []string{"ada", "cyd", "bob"}, e.Cycle)
		for _, name := range []string{`port "to ada"`, `port "to bob"`, `port "to cyd"`, `"waits in cyd"`, "cycle: ada → cyd → bob → ada"} {
			require.Contains(t, e.Error(), name)
		}
	}
}

func TestNoDeadlockWhileAnIslandCanSend(t *testing.T) {
	r := new(island.Registry)
	all := startAll(t, r, "ada", "bob", "cyd")
	ports, senders := ring(all)
	var ended []<-chan error
	for k, b := range all {
		ended = append(ended, b.Go("passes on", func(f *stackful.Fiber) error {
			if k == 0 {
				if err := f.Sleep(5 * island.DefaultProbeAfter); err != nil { // the others probe meanwhile
					return err
				}
				return errors.Join(islandtest.Send(f, senders[k], 1), second(islandtest.Receive(f, ports[k])))
			}
			return errors.Join(second(islandtest.Receive(f, ports[k])), islandtest.Send(f, senders[k], 1))
		}))
	}
	for _, e := range ended {
		require.NoError(t, <-e)
	}
}

func second(_ int, ok bool, err error) error {
	if err == nil && !ok {
		err = errors.New("the port was closed")
	}
	return err
}

func TestWaitingOnAnOpenPortIsNoDeadlock(t *testing.T) {
	r := new(island.Registry)
	h := islandtest.Join(t, r, "alone")
	p, err := island.Open[int](h.Island, "open", 1)
	require.NoError(t, err)
	h.BlockOn(p)
	h.Poll()
	require.Equal(t, scheduler.Waiting, h.Steps().IdleVerdictWithReport().Kind, "an island may dial")
	h.Probe()
	h.Poll()
	require.Nil(t, h.Deadlock(), "an island may yet join")
	r.Seal()
	h.Poll()
	h.Probe()
	h.Poll()
	require.NotNil(t, h.Deadlock(), "there is no other island and none may join")
	require.Equal(t, scheduler.Deadlock, h.Steps().IdleVerdictWithReport().Kind)
}

// By hand: two schedulers in one goroutine, so that every step of the probe is seen.
func TestAProbeSeesAValueThatWasSentBeforeIt(t *testing.T) {
	r := new(island.Registry)
	a, b := islandtest.Join(t, r, "a"), islandtest.Join(t, r, "b")
	toA, err := island.Open[int](a.Island, "to a", 1)
	require.NoError(t, err)
	toB, err := island.Open[int](b.Island, "to b", 1)
	require.NoError(t, err)
	fromB, err := island.Dial[int](b.Island, "to a")
	require.NoError(t, err)
	_, err = island.Dial[int](a.Island, "to b")
	require.NoError(t, err)
	a.Poll()
	b.Poll()
	toA.Seal()
	toB.Seal()

	a.BlockOn(toA)
	a.Poll()
	b.SpawnCurrent()
	a.Probe() // its question lies in b's mailbox
	ok, err := fromB.TrySend(1)
	require.True(t, ok && err == nil)
	b.BlockOn(toB)
	b.Poll() // now b is stuck, and asks on; but the value came first
	a.Poll()
	b.Poll()
	a.Poll()
	require.Nil(t, a.Deadlock())
	require.True(t, a.HasWork(), "the value has not woken its receiver")

	a.CollectAndEnd(toA)
	a.BlockOn(toA)
	a.Poll()
	a.Probe()
	for range 3 {
		b.Poll()
		a.Poll()
	}
	require.NotNil(t, a.Deadlock())
	require.Same(t, a.Deadlock(), b.Deadlock())
	require.Equal(t, scheduler.Deadlock, b.Steps().IdleVerdictWithReport().Kind)
}
