package bridge

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// attached is a Bridge as its island sees it. Its methods are for the island only, and kept off
// Bridge so that a program cannot call them. The owner calls them all, between slices.
type attached Bridge

var _ relay.Bridge = (*attached)(nil)

// Busy tells whether values are in transit in either direction. An idle island then waits instead of
// ending or reporting a deadlock: an acknowledgement or the room for a value may still come. Values
// that are still in an imported port wait behind those in its stream, so they count as well.
func (a *attached) Busy() bool {
	for _, o := range a.outs {
		if len(o.kept) > 0 {
			return true
		}
	}
	for _, in := range a.ins {
		if len(in.pending) > 0 {
			return true
		}
	}
	return false
}

// Next is the earliest retransmission. It is asked before each sleep, so a walk over the streams is
// cheap enough; a heap would have to be kept up to date with every acknowledgement.
func (a *attached) Next() fiber.Time {
	at := fiber.Never
	for _, o := range a.outs {
		at = min(at, o.next())
	}
	return at
}

// Serve sends again what was not acknowledged in time. Frames that were received are not handled
// here but by their signal, so that a turn without either costs only the look at the time.
func (a *attached) Serve() {
	if at := a.Next(); at != fiber.Never && a.inner.Now() >= at && !a.left {
		(*Bridge)(a).sendDue()
	}
}

// Leave sends one goodbye. If it is lost, the other side finds out by its timeout: the island has
// ended, so nothing here could wait for an acknowledgement. Requests of fibers here stay open; the
// fibers are dead, or will not run any more.
func (a *attached) Leave(cause error) {
	b := (*Bridge)(a)
	// First: frames that are handled while the island leaves are counted, and wake nothing.
	b.left = true
	b.mu.Lock()
	b.maxReceived = 0 // later frames are not kept
	b.mu.Unlock()
	bye := packet{form: wire.Bye}
	if cause != nil {
		bye.body = reason(cause)
	}
	b.send(&bye)
}
