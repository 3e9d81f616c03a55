package fiberio

import (
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readers returns the opLock of a connection, a read under it, and a function that sends bytes.
func readers(t *testing.T) (l *opLock, read func(*operation, func()) (string, error), send func(string)) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { _, _ = here.Close(), there.Close() })
	l = &opLock{setDeadline: here.SetReadDeadline}
	read = func(p *operation, inside func()) (string, error) {
		var buf [16]byte
		n := 0
		err := p.run(func() (err error) { inside(); n, err = here.Read(buf[:]); return err })
		return string(buf[:n]), err
	}
	return l, read, func(s string) { _, err := there.Write([]byte(s)); require.NoError(t, err) }
}

// The abort comes when its operation has returned already and the next one is in its call.
func TestALateAbortDoesNotEndTheNextOperation(t *testing.T) {
	l, read, send := readers(t)
	first, second := &operation{lock: l}, &operation{lock: l}
	go send("one")
	got, err := read(first, func() {})
	assert.Equal(t, "one", got)
	require.NoError(t, err)

	inside, result := make(chan struct{}), make(chan error)
	go func() {
		_, err := read(second, func() { close(inside) })
		result <- err
	}()
	<-inside
	first.abort()
	go send("two")
	assert.NoError(t, <-result)
}

// The next operation clears the deadline, which would undo the abort of the first.
func TestAnOperationWaitsUntilTheAbortedOneHasReturned(t *testing.T) {
	l, read, send := readers(t)
	first, second := &operation{lock: l}, &operation{lock: l}
	inside, ended, result := make(chan struct{}), make(chan error), make(chan string)
	go func() {
		_, err := read(first, func() { close(inside) })
		ended <- err
	}()
	<-inside
	var out atomic.Bool
	go func() {
		got, _ := read(second, func() { assert.True(t, out.Load(), "two are inside") })
		result <- got
	}()
	for range 1000 { // let the second operation reach the lock
		runtime.Gosched()
	}
	out.Store(true)
	first.abort()
	assert.ErrorIs(t, <-ended, os.ErrDeadlineExceeded)
	send("for the second")
	assert.Equal(t, "for the second", <-result)
}

func TestAnOperationAbortedBeforeItBeginsNeverBegins(t *testing.T) {
	l, read, _ := readers(t)
	p := &operation{lock: l}
	p.abort()
	_, err := read(p, func() {})
	assert.ErrorIs(t, err, errAborted)
}
