//go:build ignore

// The repaired cockroach2448: the callbacks have a buffer for all events of a round.
package kernel

import "testing"

type node struct {
	events   chan int
	callback chan int
	stop     chan bool
}

// demux takes events and hands out callbacks.
func (n *node) demux() {
	for {
		select {
		case e := <-n.events:
			select {
			case n.callback <- e:
			case <-n.stop:
				return
			}
		case <-n.stop:
			return
		}
	}
}

// run makes events and takes callbacks.
func (n *node) run(rounds int, done chan bool) {
	for i := range rounds {
		n.events <- i
		if i%2 == 1 {
			<-n.callback
			<-n.callback
		}
	}
	close(done)
}

// TestEventsAndCallbacks sends four events in two rounds.
func TestEventsAndCallbacks(t *testing.T) {
	n := &node{make(chan int), make(chan int, 2), make(chan bool)}
	done := make(chan bool)
	go n.demux()
	go n.run(4, done)
	<-done
	close(n.stop)
}
