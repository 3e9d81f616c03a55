package fiberio

import (
	"context"
	"errors"
	"net"
	"runtime"
	"syscall"
	"time"
)

// The pauses between two tries to accept, as in net/http.
const (
	minAcceptPause = 5 * time.Millisecond
	maxAcceptPause = time.Second
	// collectPause is the pause before which a shortage of descriptors collects garbage.
	collectPause = 160 * time.Millisecond
)

// acceptConn waits for a connection until ctx ends or the listener is closed. After an error that
// may pass, such as too many open files, it tries again: a listener that gave up would keep its
// port open and never accept.
func (l *Listener) acceptConn(ctx context.Context) (net.Conn, error) {
	for pause := minAcceptPause; ; pause = min(2*pause, maxAcceptPause) {
		c, err := l.listener.Accept()
		if err == nil || !passes(err) {
			return c, err
		}
		if pause == collectPause && (errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)) {
			// It closes connections that a program has lost without closing them. It would not run by
			// itself, because a server that cannot accept allocates nothing.
			runtime.GC()
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-l.done:
		case <-ctx.Done():
			again.Stop()
			return nil, ctx.Err()
		}
		again.Stop()
	}
}

// passes reports whether the next call of accept can succeed: the client has gone away, or the
// system is short of descriptors or memory.
func passes(err error) bool {
	var e interface{ Temporary() bool }
	if errors.As(err, &e) && e.Temporary() {
		return !isTimeout(err) // of an abort
	}
	return errors.Is(err, syscall.ECONNABORTED) || errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM)
}

func isTimeout(err error) bool {
	var e interface{ Timeout() bool }
	return errors.As(err, &e) && e.Timeout()
}
