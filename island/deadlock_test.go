package island_test

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/require"
)

// ring opens a port on each town for the one before it, and seals it.
func ring(towns []*town) (ports []*island.Port[int], senders []*island.Sender[int]) {
	for _, b := range towns {
		ports = append(ports, open[int](b, "to "+b.Name(), 1))
	}
	for k, b := range towns {
		next := towns[(k+1)%len(towns)]
		senders = append(senders, dial[int](b, "to "+next.Name()))
	}
	for k, b := range towns {
		b.own(ports[k].Seal)
	}
	return ports, senders
}

func towns(t *testing.T, r *island.Registry, names ...string) (all []*town) {
	for _, name := range names {
		all = append(all, found(t, r, name, island.Config{}))
	}
	return all
}

func TestADeadlockThatSpansIslandsIsFoundAndReportedWhole(t *testing.T) {
	r := new(island.Registry)
	all := towns(t, r, "ada", "bob", "cyd")
	ports, senders := ring(all)
	for k, b := range all {
		b.do("waits in "+b.Name(), func(f *stackful.Fiber) error {
			v, _, err := receive(f, ports[k]) // everybody waits for the one before to begin
			if err != nil {
				return err
			}
			return send(f, senders[k], v+1)
		})
	}
	for _, b := range all {
		b.hold.Close() // nobody outside will help
	}
	for _, b := range all {
		<-b.done
		require.ErrorAs(t, b.err, new(*scheduler.DeadlockError), b.Name())
		e := b.Deadlock()
		require.NotNil(t, e, b.Name())
		require.Len(t, e.Islands, 3)
		require.Equal(t, []string{"ada", "cyd", "bob"}, e.Cycle)
		for _, name := range []string{`port "to ada"`, `port "to bob"`, `port "to cyd"`, `"waits in cyd"`, "cycle: ada → cyd → bob → ada"} {
			require.Contains(t, e.Error(), name)
		}
	}
}

func TestWhoeverCanStillSendKeepsTheOthersFromBeingInDeadlock(t *testing.T) {
	r := new(island.Registry)
	all := towns(t, r, "ada", "bob", "cyd")
	ports, senders := ring(all)
	var ended []<-chan error
	for k, b := range all {
		ended = append(ended, b.do("passes on", func(f *stackful.Fiber) error {
			if k == 0 {
				if err := f.Sleep(5 * island.DefaultProbeAfter); err != nil { // the others probe meanwhile
					return err
				}
				return errors.Join(send(f, senders[k], 1), second(receive(f, ports[k])))
			}
			return errors.Join(second(receive(f, ports[k])), send(f, senders[k], 1))
		}))
	}
	for _, e := range ended {
		require.NoError(t, ends(t, e))
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
	h := handRun(t, r, "alone")
	p, err := island.Open[int](h.Island, "open", 1)
	require.NoError(t, err)
	h.waits(p)
	h.Poll()
	require.Equal(t, scheduler.Waiting, h.Steps().IdleVerdictWithReport().Kind, "somebody may dial")
	h.Probe()
	h.Poll()
	require.Nil(t, h.Deadlock(), "an island may yet join")
	r.Seal()
	h.Poll()
	h.Probe()
	h.Poll()
	require.NotNil(t, h.Deadlock(), "nobody is there and nobody may join")
	require.Equal(t, scheduler.Deadlock, h.Steps().IdleVerdictWithReport().Kind)
}

// By hand: two schedulers in one goroutine, so that every step of the probe is seen.
func TestAProbeThatIsOvertakenByAValueFindsNothing(t *testing.T) {
	r := new(island.Registry)
	a, b := handRun(t, r, "a"), handRun(t, r, "b")
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

	a.waits(toA)
	a.Poll()
	b.spawn()
	a.Probe() // its question lies in b's mailbox
	ok, err := fromB.TrySend(1)
	require.True(t, ok && err == nil)
	b.waits(toB)
	b.Poll() // now b is stuck, and asks on; but the value came first
	a.Poll()
	b.Poll()
	a.Poll()
	require.Nil(t, a.Deadlock())
	require.True(t, a.HasWork(), "the value has not woken its receiver")

	a.finishes(toA)
	a.waits(toA)
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

// hand is an island whose loop is the test.
type hand struct {
	*island.Island
	*scheduler.Scheduler[int]
	t *testing.T
}

func handRun(t *testing.T, r *island.Registry, name string) *hand {
	h := &hand{t: t, Scheduler: scheduler.New[int](scheduler.Config{Number: r.Number()})}
	var err error
	h.Island, err = r.Join(&h.Core, island.Config{Name: name, ProbeAfter: -1})
	require.NoError(t, err)
	return h
}

func (h *hand) Number() uint16 { return h.Island.Number() }

// spawn makes a fiber and mounts it.
func (h *hand) spawn() {
	_, err := h.Spawn(0)
	require.NoError(h.t, err)
	h.Poll()
	require.NotNil(h.t, h.ScheduleNext())
}

// waits has the current fiber, or a new one, wait at the port.
func (h *hand) waits(p *island.Port[int]) fiber.Ticket {
	if h.Current() == 0 {
		h.spawn()
	}
	t := h.Arm(fiber.OnQueue(), p)
	require.NoError(h.t, p.ParkRecv(t, 0))
	h.Block()
	return t
}

// finishes has the fiber that was woken take its value and end.
func (h *hand) finishes(p *island.Port[int]) {
	require.NotNil(h.t, h.ScheduleNext())
	t, _ := h.Claim()
	_, ok := p.Collect(t)
	require.True(h.t, ok)
	h.KillCurrent()
}
