//go:build ignore

// After syncthing#5795: the handler of a message closes the connection, and close waits for the end of the
// loop that has called the handler.
// Finding: deadlock
package kernel

import "testing"

type conn struct {
	inbox   chan string
	closed  chan bool
	stopped chan bool
}

func (c *conn) dispatch(handle func(message string)) {
	defer close(c.stopped)
	for {
		select {
		case message := <-c.inbox:
			handle(message)
		case <-c.closed:
			return
		}
	}
}

func (c *conn) close() {
	close(c.closed)
	<-c.stopped
}

// TestAHandlerClosesTheConnection sends a message that is refused.
func TestAHandlerClosesTheConnection(t *testing.T) {
	c := &conn{make(chan string), make(chan bool), make(chan bool)}
	go c.dispatch(func(message string) {
		if message == "new folder" {
			c.close()
		}
	})
	c.inbox <- "new folder"
	<-c.stopped
}
