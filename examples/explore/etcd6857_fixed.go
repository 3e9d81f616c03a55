//go:build ignore

// The repaired etcd6857: the request gives up when the node is done.
package kernel

import "testing"

type node struct {
	status chan chan int
	stop   chan bool
	done   chan bool
}

func (n *node) run() {
	defer close(n.done)
	for {
		select {
		case c := <-n.status:
			c <- 1
		case <-n.stop:
			return
		}
	}
}

func (n *node) Status() int {
	c := make(chan int)
	select {
	case n.status <- c:
		return <-c
	case <-n.done:
		return 0
	}
}

func (n *node) Stop() {
	select {
	case n.stop <- true:
	case <-n.done:
	}
	<-n.done
}

// TestStatusWhileStopping stops the node while its status is asked for.
func TestStatusWhileStopping(t *testing.T) {
	n := &node{make(chan chan int), make(chan bool), make(chan bool)}
	go n.run()
	go n.Status()
	n.Stop()
}
