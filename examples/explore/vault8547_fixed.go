//go:build ignore

// The repaired vault8547: the reports are read until one says that leadership is lost.
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
		for <-n.reports {
		}
		close(lost)
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
