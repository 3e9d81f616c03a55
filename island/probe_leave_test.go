package island

import (
	"fmt"
	"runtime"
	"testing"
	"weak"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// An island that sees the deadlock ends, and others would learn of that end before they see it.
func TestADeadlockIsPublishedToAllIslandsAtOnce(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b")
	for k, h := range all {
		p, _ := h.to(all[1-k])
		h.receives(p)
	}
	e := new(DeadlockError)
	all[0].deadlock.Store(e) // record has not come further
	all[0].s.Inbox().Notify()
	all[0].s.Poll()
	noDeadlock(t, all...)
	require.Equal(t, scheduler.Waiting, all[0].s.Steps().IdleVerdictWithReport().Kind, "it ends before b knows")
	all[1].deadlock.Store(e)
	e.published.Store(true)
	for _, h := range all {
		require.Same(t, e, h.Deadlock())
		require.Equal(t, scheduler.Deadlock, h.s.Steps().IdleVerdictWithReport().Kind)
	}
}

// Each has asked about the one before it, and has something to do when that one leaves.
func TestProbesDoNotKeepIslandsThatHaveLeftAlive(t *testing.T) {
	r := new(Registry)
	last := newStepped(t, r, Config{Name: "0"})
	first := weak.Make(last.Island)
	for k := range 3 {
		next := newStepped(t, r, Config{Name: fmt.Sprint(k + 1)})
		p, _ := next.to(last)
		next.receives(p)
		hold := last.s.Inbox().NewSender()
		settle(t, last, next)
		require.True(t, next.prober.Probed(), "it has not started a probe")
		hold.Close()
		last.Leave(nil)
		settle(t, next)
		require.Zero(t, next.s.Inspect().Live(), "it has not learned that the other has left")
		last = next
	}
	runtime.GC()
	require.Nil(t, first.Value())
	runtime.KeepAlive(last)
}

// It is on its list still, but leaves before it is asked.
func TestAnIslandThatHasLeftTakesNoQuestions(t *testing.T) {
	all := steppedAll(t, new(Registry), "a", "b")
	a, b := all[0], all[1]
	p, _ := a.to(b)
	a.receives(p)
	st, sure := a.state()
	require.True(t, sure)
	b.Leave(nil)
	a.prober.Start(true)
	a.prober.Turn(st)
	b.prober.TakeQuestions()
	require.False(t, b.prober.HasWork())
	settle(t, a)
	noDeadlock(t, a)
	require.Zero(t, a.s.Inspect().Live())
}
