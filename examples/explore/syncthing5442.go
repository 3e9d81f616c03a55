//go:build ignore

// After syncthing#5442: to close a connection sends a last message, within a sync.Once. The writer, which
// would take it, has failed to write another message and waits for the same Once, to close the connection.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type conn struct {
	last, end sync.Once
	outbox    chan string
	closed    chan bool
}

func (c *conn) send(message string) {
	select {
	case c.outbox <- message:
	case <-c.closed:
	}
}

func (c *conn) close() {
	c.last.Do(func() {
		c.send("close")
		close(c.closed)
	})
}

func (c *conn) write() {
	select {
	case message := <-c.outbox:
		if message != "close" { // it cannot be written
			c.close()
		}
	case <-c.closed:
	}
}

// TestAMessageFailsDuringClose closes the connection while a message is sent.
func TestAMessageFailsDuringClose(t *testing.T) {
	c := &conn{outbox: make(chan string), closed: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(c.write)
	wg.Go(func() { c.send("index") })
	wg.Go(c.close)
	wg.Wait()
}
