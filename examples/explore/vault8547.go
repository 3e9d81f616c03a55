//go:build ignore

// After vault#8547: a node that is the leader already starts to watch for the loss of leadership. The first
// report that it reads is the late one of the gain, and it stops watching.
// Finding: deadlock
package kernel

import (
	"sync/atomic"
	"testing"
)

type node struct {
	leader  atomic.Bool
	reports chan bool
}

func (n *node) raft() {
	for _, leader := range []bool{true, false} {
		n.leader.Store(leader)
		n.reports <- leader
	}
}

func (n *node) watch() chan bool {
	lost := make(chan bool)
	go func() {
		if leader := <-n.reports; !leader {
			close(lost)
		}
	}()
	return lost
}

func (n *node) lead() {
	if !n.leader.Load() {
		<-n.reports
	}
	<-n.watch()
}

// TestLeadershipIsLost leads until leadership is lost.
func TestLeadershipIsLost(t *testing.T) {
	n := &node{reports: make(chan bool)}
	go n.raft()
	n.lead()
}
