//go:build ignore

// The repaired syncthing5442: the last message and the end have a Once each.
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
	c.last.Do(func() { c.send("close") })
	c.abort()
}

func (c *conn) abort() {
	c.end.Do(func() { close(c.closed) })
}

func (c *conn) write() {
	select {
	case message := <-c.outbox:
		if message != "close" { // it cannot be written
			c.abort()
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
