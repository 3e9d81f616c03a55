package fiberio

import (
	"context"
	"math"
	"net"
)

// httpListener is the listener for net/http. Connections accepted for fibers that had given up
// come first. Each connection has one of the server's places until trackConn frees it.
type httpListener struct {
	*Listener
	places places
}

// places are counted by the elements of a channel, which need no memory.
type places chan struct{}

func newPlaces(most int64) places { return make(places, int(min(most, math.MaxInt))) }

func (p places) free() { <-p }

// Accept blocks the calling goroutine. It waits for a place first, so that clients for which there
// is none stay in the queue of the system.
func (l httpListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	if c := l.takeUntaken(); c != nil {
		return c, nil
	}
	c, err := l.acceptConn(context.Background())
	if err != nil {
		l.places.free()
	}
	return c, err
}
