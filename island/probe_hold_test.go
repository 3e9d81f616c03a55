package island

import (
	"testing"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// Something outside holds one of two islands that wait for each other at any time, and passes from
// the one to the other while a probe asks.
func TestAHoldThatMovesBetweenIslandsPreventsADeadlock(t *testing.T) {
	r := new(Registry)
	a, b := newStepped(t, r, Config{Name: "a", ProbeAfter: -1}), newStepped(t, r, Config{Name: "b", ProbeAfter: -1})
	for k, h := range []*stepped{a, b} {
		p, _ := h.to([]*stepped{a, b}[1-k])
		h.receives(p)
	}
	for _, h := range []*stepped{a, b} {
		h.s.Poll()
		st, certain := h.state()
		require.True(t, certain && st != nil, h.Name())
	}
	first := a.s.Inbox().NewSender()
	b.Probe()
	b.s.Poll() // it has answered its own question
	second := b.s.Inbox().NewSender()
	first.Close()
	settle(t, a, b)
	noDeadlock(t, a, b)
	second.Close()
	b.asleep = false
	b.Probe()
	settle(t, a, b)
	inDeadlock(t, a, b)
}

// The last island of a closed registry serves no island any more. Its fibers can only wait for each
// other; without fibers it goes on until it is shut down.
func TestTheLastIslandThatServesIsInDeadlockWithItself(t *testing.T) {
	r := new(Registry)
	last, other := newStepped(t, r, Config{Name: "last", KeepAlive: true}), newStepped(t, r, Config{Name: "other"})
	id := last.blocks(nil)
	r.Seal()
	hold := other.s.Inbox().NewSender()
	settle(t, last, other)
	noDeadlock(t, last)
	other.Leave(nil)
	hold.Close()
	settle(t, last)
	inDeadlock(t, last)
	require.ErrorContains(t, last.Deadlock(), "no other island is left")
	require.ErrorContains(t, last.Deadlock(), id.String())

	r = new(Registry)
	idle := newStepped(t, r, Config{Name: "idle", KeepAlive: true})
	r.Seal()
	settle(t, idle)
	noDeadlock(t, idle)
	require.Equal(t, scheduler.Waiting, idle.s.Steps().IdleVerdictWithReport().Kind)
}
