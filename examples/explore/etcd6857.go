//go:build ignore

// After etcd#6857: a request for the status is sent to a node that has stopped meanwhile, and nothing
// ever receives it.
// Finding: leak
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
	n.status <- c
	return <-c
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
