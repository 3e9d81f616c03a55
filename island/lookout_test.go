package island

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// countsQuestions has every question to the island counted.
func (h *stepped) countsQuestions(n *int) {
	g := &signal{owner: h.Island, handle: h.prober.TakeQuestions}
	h.prober.Init(func() { *n++; g.raise() }, func() { h.core.Inbox().Notify() }, h.reg.record)
}

// waitingAtOpenPorts are islands of a closed registry each of which any other could send to, and one
// more that is held. All but that one are blocked.
func waitingAtOpenPorts(t *testing.T, n int) (all []*stepped, busy *stepped, release func(), questions *int) {
	t.Helper()
	r, questions := new(Registry), new(int)
	for k := range n + 1 {
		h := newStepped(t, r, Config{Name: fmt.Sprint(k), KeepAlive: k%2 == 0})
		h.countsQuestions(questions)
		all = append(all, h)
	}
	busy = all[n]
	hold := busy.s.Inbox().NewSender()
	for _, h := range all {
		h.receives(opened(t, h.Island, h.Name()))
	}
	r.Seal()
	return all, busy, hold.Close, questions
}

// While one island can run, no probe can find anything: they ask that one at most. When it blocks as
// well, one round finds the deadlock.
func TestIslandsAtOpenPortsAskOnlyWhenAllAreBlocked(t *testing.T) {
	for _, n := range []int{8, 64} {
		all, busy, release, questions := waitingAtOpenPorts(t, n)
		settle(t, all...)
		noDeadlock(t, all...)
		require.Zero(t, *questions, "%d islands", n)
		release()
		busy.asleep = false
		settle(t, all...)
		inDeadlock(t, all...)
		require.LessOrEqual(t, *questions, 2*(n+1), "%d islands", n)
	}
}

// The number of islands that an end wakes does not grow with the number of islands.
func TestTheEndOfAnIslandWakesOneOther(t *testing.T) {
	for _, n := range []int{8, 64} {
		all, busy, release, questions := waitingAtOpenPorts(t, n)
		settle(t, all...)
		woken := 0
		for k, h := range all[:n] {
			h.Leave(nil)
			for _, o := range all[k+1:] {
				if o.s.Inbox().Waiting() {
					woken++
				}
			}
			settle(t, all[k+1:]...)
		}
		require.LessOrEqual(t, woken, n)
		require.LessOrEqual(t, *questions, 2*n)
		release()
		settle(t, busy)
	}
}

// Others have stated that they depend on an island that has left. The last one to block has to find
// the deadlock all the same.
func TestTheLastToBlockFindsADeadlockOfIslandsThatNameOneThatHasLeft(t *testing.T) {
	all, busy, release, _ := waitingAtOpenPorts(t, 5)
	settle(t, all...)
	all[0].Leave(nil)
	settle(t, all[1:]...)
	noDeadlock(t, all[1:]...)
	release()
	busy.asleep = false
	settle(t, all[1:]...)
	inDeadlock(t, all[1:]...)
}

// An island that blocks first and would wait for an hour answers one that blocks last.
func TestAProbeAsksIslandsThatWouldStartOneLater(t *testing.T) {
	r := new(Registry)
	slow := newStepped(t, r, Config{Name: "slow", ProbeAfter: 1 << 50})
	fast := newStepped(t, r, Config{Name: "fast", ProbeAfter: 1})
	for k, h := range []*stepped{slow, fast} {
		p, _ := h.to([]*stepped{slow, fast}[1-k])
		h.receives(p)
	}
	slow.s.Steps().IdleVerdictWithReport()
	(*device)(slow.Island).SleepUntil(1) // it sleeps, and its probe is not due
	for range 8 {
		fast.turn()
		slow.s.Poll()
	}
	inDeadlock(t, slow, fast)
}
