package bridge

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// attached is a Bridge as its island sees it. Its methods are the island's business, not
// that of programs.
type attached Bridge

var _ relay.Bridge = (*attached)(nil)

// Busy tells whether values are in transit in either direction.
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

// Next is the earliest retransmission.
func (a *attached) Next() fiber.Time {
	at := fiber.Never
	for _, o := range a.outs {
		at = min(at, o.next())
	}
	return at
}

// Serve sends again what was not acknowledged in time.
func (a *attached) Serve() {
	if at := a.Next(); at != fiber.Never && a.inner.Now() >= at && !a.left {
		(*Bridge)(a).sendDue()
	}
}

// Leave sends one goodbye. If it is lost, the other side finds out by its timeout.
func (a *attached) Leave(cause error) {
	b := (*Bridge)(a)
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
