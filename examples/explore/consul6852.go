//go:build ignore

// After consul#6852: leadership is lost and gained again at once. Raft waits until it can report the second
// change, and does not apply the barrier that the leader's loop waits for; the server waits for that loop
// before it takes the next report.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type server struct {
	leader  chan bool
	barrier chan chan bool
	done    chan bool
}

func (s *server) raft(changes ...bool) {
	for _, leader := range changes {
		select {
		case b := <-s.barrier:
			close(b)
		default:
		}
		s.leader <- leader
	}
	for {
		select {
		case b := <-s.barrier:
			close(b)
		case <-s.done:
			return
		}
	}
}

func (s *server) monitor(changes int) {
	defer close(s.done)
	var loop sync.WaitGroup
	var lost chan bool
	for range changes {
		if <-s.leader {
			lost = make(chan bool)
			loop.Go(func() { s.lead(lost) })
		} else {
			close(lost)
			loop.Wait()
		}
	}
}

func (s *server) lead(lost chan bool) {
	applied := make(chan bool)
	s.barrier <- applied
	<-applied
}

// TestLeadershipFlaps gains and loses leadership twice.
func TestLeadershipFlaps(t *testing.T) {
	s := &server{make(chan bool, 1), make(chan chan bool), make(chan bool)}
	go s.monitor(4)
	s.raft(true, false, true, false)
}
