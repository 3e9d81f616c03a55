package island

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// stepped is an island whose loop is the test, one turn at a time, and whose time passes when it
// sleeps.
type stepped struct {
	*Island
	s      *scheduler.Scheduler[int]
	clock  *scheduler.VirtualClock
	t      *testing.T
	asleep bool
}

func steppedAll(t *testing.T, r *Registry, names ...string) (all []*stepped) {
	for _, name := range names {
		all = append(all, newStepped(t, r, Config{Name: name}))
	}
	return all
}

func newStepped(t *testing.T, r *Registry, cfg Config) *stepped {
	t.Helper()
	h := &stepped{t: t, clock: scheduler.NewVirtualClock()}
	h.s = scheduler.New[int](scheduler.Config{Number: r.Number(), Clock: h.clock})
	var err error
	h.Island, err = r.Join(&h.s.Core, cfg)
	require.NoError(t, err)
	return h
}

// turn is one turn of the loop. Fibers that were woken end. It tells whether the island is awake.
func (h *stepped) turn() (awake bool) {
	if h.asleep && !h.s.Inbox().Waiting() {
		return false
	}
	h.asleep = false
	if h.s.Poll() {
		for f := h.s.ScheduleNext(); f != nil; f = h.s.ScheduleNext() {
			h.s.KillCurrent()
		}
		return true
	}
	if v := h.s.Steps().IdleVerdictWithReport(); v.Kind == scheduler.Busy {
		return true
	}
	until := (*device)(h.Island).SleepUntil(fiber.Never)
	(*device)(h.Island).PrepareSleep()
	h.asleep = until == fiber.Never
	if !h.asleep {
		h.clock.Advance(until)
	}
	return true
}

// settle has all islands go on until each sleeps and nothing wakes any of them.
func settle(t *testing.T, all ...*stepped) {
	t.Helper()
	for range 100 * (1 + len(all)) * (1 + len(all)) {
		awake := false
		for _, h := range all {
			awake = h.turn() || awake
		}
		if !awake {
			return
		}
	}
	t.Fatal("they never come to rest")
}

// blocks has a new fiber wait for the source, which park registers; without one it stays blocked.
func (h *stepped) blocks(park func(fiber.Ticket), source ...fiber.Source) fiber.RegularID {
	h.t.Helper()
	id, err := h.s.Spawn(0)
	require.NoError(h.t, err)
	h.s.Poll()
	require.NotNil(h.t, h.s.ScheduleNext())
	ticket := h.s.Arm(fiber.OnQueue(), source...)
	if park != nil {
		park(ticket)
	}
	h.s.Block()
	return id
}

func (h *stepped) receives(p *Port[int]) fiber.RegularID {
	h.t.Helper()
	return h.blocks(func(t fiber.Ticket) { require.NoError(h.t, p.ParkRecv(t, 0)) }, p.Source())
}

// to opens a sealed port of an island to which the given others have Senders.
func (h *stepped) to(senders ...*stepped) (p *Port[int], ends []*Sender[int]) {
	h.t.Helper()
	p = opened(h.t, h.Island, fmt.Sprintf("%s %d", h.Name(), len(h.ends)))
	for _, s := range senders {
		ends = append(ends, dialled(h.t, s.Island, p.Name()))
	}
	h.s.Poll()
	p.Seal()
	return p, ends
}

// inDeadlock is that all are in the same.
func inDeadlock(t *testing.T, all ...*stepped) {
	t.Helper()
	found := all[0].Deadlock()
	require.NotNil(t, found, "%s knows of no deadlock", all[0].Name())
	require.Len(t, found.Islands, len(all))
	for _, h := range all {
		require.Same(t, found, h.Deadlock(), h.Name())
		require.NotEqual(t, scheduler.Waiting, h.s.Steps().IdleVerdictWithReport().Kind, h.Name())
	}
}

func noDeadlock(t *testing.T, all ...*stepped) {
	t.Helper()
	for _, h := range all {
		require.Nil(t, h.Deadlock(), "%s: %v", h.Name(), h.Deadlock())
	}
}

// observedEnd is an end that is told each time its island looks at itself.
type observedEnd struct{ look func() }

func (observedEnd) awaited() bool                                         { return true }
func (observedEnd) down()                                                 {}
func (observedEnd) state() EndState                                       { return EndState{} }
func (l observedEnd) dependsOn(dst []*Island) (all []*Island, known bool) { l.look(); return dst, true }

// Two islands wait for each other, and something rouses each while it looks whether it is stuck. Only
// one asks, once.
func TestAProbeIsNotLostIfTheIslandIsRousedMeanwhile(t *testing.T) {
	r := new(Registry)
	all := []*stepped{newStepped(t, r, Config{Name: "a", ProbeAfter: -1}), newStepped(t, r, Config{Name: "b", ProbeAfter: -1})}
	for k, h := range all {
		p, _ := h.to(all[1-k])
		h.receives(p)
		left := 3
		h.ends = append(h.ends, observedEnd{func() {
			if left--; left > 0 {
				h.s.Inbox().Notify()
			}
		}})
	}
	all[0].Probe()
	settle(t, all...)
	inDeadlock(t, all...)
}

func TestSimultaneousProbesFindTheDeadlock(t *testing.T) {
	r := new(Registry)
	var all []*stepped
	for k := range 12 { // more letters than a mailbox takes
		all = append(all, newStepped(t, r, Config{Name: fmt.Sprint(k), Mailbox: 1, KeepAlive: true}))
	}
	for k, h := range all {
		p, _ := h.to(all[(k+1)%len(all)])
		h.receives(p)
	}
	r.Seal()
	for _, h := range all {
		h.Probe()
	}
	settle(t, all...)
	inDeadlock(t, all...)
}

// It waits for no port, and the one that does has asked before it was stuck.
func TestAnIdleIslandProbesIfItIsTheLastToBlock(t *testing.T) {
	r := new(Registry)
	a, b := newStepped(t, r, Config{Name: "a"}), newStepped(t, r, Config{Name: "b", KeepAlive: true})
	r.Seal()
	p, _ := a.to(b)
	a.receives(p)
	busy := b.blocks(nil)
	hold := b.s.Inbox().NewSender()
	settle(t, a, b)
	noDeadlock(t, a, b)
	require.NoError(t, b.s.Kill(busy.ID(), nil))
	b.asleep = false
	hold.Close()
	settle(t, a, b)
	inDeadlock(t, a, b)
}

func TestReleasingAHoldStartsAnotherProbe(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b")
	for k, h := range all {
		p, _ := h.to(all[1-k])
		h.receives(p)
	}
	first := all[0].s.Inbox().NewSender()
	settle(t, all...)
	noDeadlock(t, all...)
	second := all[1].s.Inbox().NewSender()
	first.Close()
	settle(t, all...)
	noDeadlock(t, all...)
	second.Close()
	settle(t, all...)
	inDeadlock(t, all...)
}

// a has asked when c could still send to it.
func TestClosingASenderStartsAnotherProbe(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b", "c")
	a, b, c := all[0], all[1], all[2]
	p, ends := a.to(b, c)
	a.receives(p)
	q, _ := b.to(a)
	b.receives(q)
	hold := c.s.Inbox().NewSender()
	settle(t, a, b, c)
	noDeadlock(t, a, b, c)
	require.NoError(t, ends[1].Close())
	settle(t, a, b, c)
	inDeadlock(t, a, b)
	noDeadlock(t, c)
	hold.Close()
}

// Any island could open a Sender, as long as it is there.
func TestLeavingStartsAnotherProbe(t *testing.T) {
	for name, r := range map[string]*Registry{"sealed": {}, "self-contained": {SelfContained: true}} {
		t.Run(name, func(t *testing.T) {
			all := steppedAll(t, r, "a", "b", "c")
			a, b, c := all[0], all[1], all[2]
			for _, h := range all[:2] {
				h.receives(opened(t, h.Island, h.Name()))
			}
			r.Seal()
			hold := c.s.Inbox().NewSender()
			settle(t, a, b, c)
			noDeadlock(t, a, b, c)
			c.Leave(nil)
			settle(t, a, b)
			inDeadlock(t, a, b)
			hold.Close()
		})
	}
}

func TestSealingAPortStartsAnotherProbe(t *testing.T) {
	r := &Registry{SelfContained: true}
	all := steppedAll(t, r, "a", "b", "c")
	a, b, c := all[0], all[1], all[2]
	open := opened(t, a.Island, "open")
	dialled(t, b.Island, "open")
	a.receives(open)
	q, _ := b.to(a)
	b.receives(q)
	hold := c.s.Inbox().NewSender()
	settle(t, a, b, c)
	noDeadlock(t, a, b, c)
	require.NoError(t, a.s.Inbox().Do(open.Seal))
	settle(t, a, b, c)
	inDeadlock(t, a, b)
	hold.Close()
}

// b keeps silent when a asks, and is stuck again without having done anything.
func TestAnIslandThatCouldRunProbesWhenItBlocks(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b", "c")
	a, b, c := all[0], all[1], all[2]
	p, _ := a.to(b)
	q, ends := b.to(a, c)
	b.receives(q)
	busy := c.s.Inbox().NewSender()
	settle(t, a, b, c) // b has asked in this sleep
	hold := b.s.Inbox().NewSender()
	require.NoError(t, ends[1].Close())
	busy.Close()
	a.receives(p)
	a.asleep = false
	settle(t, a, b, c) // and a
	noDeadlock(t, a, b, c)
	hold.Close()
	settle(t, a, b, c)
	inDeadlock(t, a, b)
}

// No fiber waits at a port: the islands are idle, and there may be something to do later.
func TestIdleIslandsAreNotInDeadlock(t *testing.T) {
	r := new(Registry)
	all := []*stepped{newStepped(t, r, Config{Name: "a", KeepAlive: true}), newStepped(t, r, Config{Name: "b", KeepAlive: true})}
	r.Seal()
	all[1].blocks(nil)
	settle(t, all...)
	noDeadlock(t, all...)
	for _, h := range all {
		require.Equal(t, scheduler.Waiting, h.s.Steps().IdleVerdictWithReport().Kind)
	}
}

// An island that starts no probes answers those of others.
func TestAnIslandThatStartsNoProbesAnswers(t *testing.T) {
	r := new(Registry)
	var all []*stepped
	for _, name := range []string{"a", "b", "c", "d"} {
		all = append(all, newStepped(t, r, Config{Name: name, ProbeAfter: -1}))
	}
	for k, h := range all {
		p, _ := h.to(all[(k+1)%len(all)])
		h.receives(p)
	}
	settle(t, all...)
	noDeadlock(t, all...)
	all[2].Probe()
	settle(t, all...)
	inDeadlock(t, all...)
	require.Equal(t, []string{"a", "b", "c", "d"}, all[0].Deadlock().Cycle)
}

// The others of a deadlock end as testTimeout as they know of it.
func TestTheEndOfOneIslandInADeadlockDoesNotReachTheOthers(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b")
	var ends []*Sender[int]
	for k, h := range all {
		p, to := h.to(all[1-k])
		id := h.receives(p)
		ends = append(ends, to...)
		t.Cleanup(func() { require.Equal(t, fiber.Blocked, h.s.Inspect().State(id.ID())) })
	}
	a, b := all[0], all[1]
	ends[1].OnClosed(func() { t.Error("a was told that b's port is closed") })
	for a.Deadlock() == nil && b.Deadlock() == nil {
		a.turn()
		b.turn()
	}
	b.Leave(b.Deadlock())
	a.s.Poll()
	a.handleAll()
	inDeadlock(t, a, b)
}

// c waits for a, which is in deadlock with b. Both deadlocks are found in the same moment; but as
// testTimeout as a and b know of theirs, c may learn that a has ended.
func TestAnIslandIsInOneDeadlockOnly(t *testing.T) {
	r := new(Registry)
	var all []*stepped
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, newStepped(t, r, Config{Name: name, ProbeAfter: -1}))
	}
	a, b, c := all[0], all[1], all[2]
	for k, from := range []*stepped{b, a, a} {
		p, _ := all[k].to(from)
		all[k].receives(p)
	}
	for _, h := range all {
		st, sure := h.state()
		require.True(t, sure)
		require.NotNil(t, st)
	}
	a.Probe()
	c.Probe()
	for _, h := range []*stepped{a, c, b} {
		h.s.Poll()
	}
	inDeadlock(t, a, b)
	noDeadlock(t, c)
	a.Leave(a.Deadlock())
	require.True(t, c.s.Poll(), "it has not learned of a's end")
}

// handleAll handles every signal, as if the island had begun to look before it knew of its
// deadlock.
func (h *stepped) handleAll() { h.handleSignals() }

// Peers can move fibers here. While others could, too, the island is in no deadlock.
func TestAnIslandWithPeersDependsOnThem(t *testing.T) {
	r := &Registry{SelfContained: true}
	peer, known := newStepped(t, r, Config{Name: "peer"}), true
	h := newStepped(t, r, Config{Name: "home", Peers: func() ([]*Island, bool) { return []*Island{peer.Island}, known }})
	statement := func() *statement {
		h.s.Poll()
		st, certain := h.state()
		require.True(t, certain)
		return st
	}
	require.NotNil(t, statement(), "it has no fibers, and only the peer can bring one")
	h.receives(opened(t, h.Island, "p"))
	st := statement()
	require.NotNil(t, st)
	require.True(t, st.Blocked)
	require.Equal(t, []string{"peer"}, st.Finding.WaitsFor)
	known = false
	require.Nil(t, statement(), "a fiber may come from elsewhere")
}
