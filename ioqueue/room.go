package ioqueue

import "github.com/selvage-dev/selvage/fiber"

// Room is where fibers wait while a scheduler has given out all its tokens (ErrFull). It
// serves in order of arrival (I11): a place that becomes free is reserved for the
// longest-waiting fiber, so neither a later arrival nor a running fiber can take it. The
// fiber that was woken claims it with scheduler.Ops.SubmitReserved; if the fiber dies
// first, the next in line gets the place.
//
// It belongs to the goroutine that owns the scheduler.
type Room interface {
	// Source is what a wait for room is armed with.
	Source() fiber.Source
	// Park registers the ticket of a wait that the caller has just armed with Source; tag
	// is the wake-up's Result.Value. The error is ErrOrder.
	Park(t fiber.Ticket, tag uint32) error
}
