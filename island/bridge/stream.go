package bridge

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// window is how many values of a stream may be sent and not yet delivered. It bounds the memory of
// both sides, and what is sent again at once. Within a round trip a stream carries that many values.
const window = 64

// The retransmission delay. It doubles with every retransmission up to the maximum, and an
// acknowledgement resets it.
const (
	minResendDelay = 20 * time.Millisecond
	maxResendDelay = time.Second
)

// outStream is the sending half of a stream that is delivered effectively once over a
// transport that is at-least-once at best: values are numbered, kept until acknowledged, and
// sent again meanwhile (go-back-N: all of them, because the other half accepts no value that is
// ahead). It does no I/O and reads no clock, so tests drive it with any instants.
//
// Invariants between its methods: kept holds the values done, done+1, … and has at most window of
// them, the end mark apart; unsent ≤ len(kept). Of a value that was acknowledged only the number is
// sent again, to poll the peer (due).
type outStream struct {
	number   uint32
	kept     [][]byte // not acknowledged, oldest first
	done     uint64   // how many are acknowledged
	unsent   int      // how many at the end of kept have never been sent
	last     bool     // the last of kept ends the stream
	resendAt fiber.Time
	delay    time.Duration

	expectsReply bool       // the peer owes more than acknowledgements (answers to requests)
	unanswered   bool       // nothing was heard since something was sent
	silentSince  fiber.Time // when that was
}

// hasRoom tells whether push may be called. Nothing follows the end mark.
func (o *outStream) hasRoom() bool { return len(o.kept) < window && !o.last }

// push adds a value, which the stream keeps. It is sent by the next due.
func (o *outStream) push(body []byte) {
	o.kept = append(o.kept, body)
	o.unsent++
}

// finish ends the stream, with an empty value so that the end is acknowledged as well.
func (o *outStream) finish() {
	if !o.last {
		o.push(nil)
		o.last = true
	}
}

// expectReply says whether the peer owes answers. While it does, the peer is polled even if
// all values are acknowledged, so that its silence is noticed.
func (o *outStream) expectReply(more bool) {
	if o.expectsReply = more; !more && len(o.kept) == 0 {
		o.unanswered = false
	}
}

// overdue tells whether something sent was not answered for the timeout. A stream that has sent
// nothing is never overdue, so a side that only receives does not notice a partition.
func (o *outStream) overdue(now fiber.Time, timeout time.Duration) bool {
	return o.unanswered && now >= o.silentSince.After(timeout)
}

// acked notes that the first n values were delivered. Acknowledgements count all values from the
// first, so the next one makes up for one that was lost. It refuses an old acknowledgement and
// one of values that were never sent; but one that repeats the last number shows that the
// peer lives.
func (o *outStream) acked(n uint64, now fiber.Time) bool {
	if n == o.done {
		o.unanswered = false
	}
	if n <= o.done || n > o.done+uint64(len(o.kept)-o.unsent) {
		return false
	}
	k := int(n - o.done)
	clear(o.kept[:k])
	o.kept, o.done = o.kept[k:], n
	o.unanswered = false
	o.setTimer(now, minResendDelay)
	return true
}

// setTimer sets the next retransmission of the whole stream; single values have no timers.
func (o *outStream) setTimer(now fiber.Time, delay time.Duration) {
	o.delay, o.resendAt = delay, now.After(delay)
}

// due are the values to send now, and the number of the first: the new ones, or after the
// resend delay all. If all are acknowledged and a reply is expected, it is the number of the
// last value with an empty body: the peer acknowledges that number once more and so shows
// that it lives.
func (o *outStream) due(now fiber.Time) (first uint64, bodies [][]byte) {
	sent := len(o.kept) - o.unsent
	switch {
	case sent == 0 && o.unsent > 0:
		o.setTimer(now, minResendDelay)
	case (sent > 0 || o.expectsReply) && now >= o.resendAt:
		o.setTimer(now, min(2*o.delay, maxResendDelay))
		sent = 0
	case o.unsent == 0:
		return 0, nil
	}
	if !o.unanswered {
		o.unanswered, o.silentSince = true, now
	}
	if len(o.kept) == 0 {
		return o.done - 1, [][]byte{nil}
	}
	o.unsent = 0
	return o.done + uint64(sent), o.kept[sent:]
}

// next is when due has to be called again; Never if nothing is in transit or expected.
func (o *outStream) next() fiber.Time {
	if len(o.kept) == 0 && !o.expectsReply {
		return fiber.Never
	}
	return o.resendAt
}

// inStream is the receiving half: it accepts each value once and in order. It acknowledges what was
// delivered, not what was accepted: a value in pending would be lost with this island, and the sender
// must know how much room there is at the target.
type inStream struct {
	number  uint32
	expect  uint64   // the number of the next value
	pending [][]byte // accepted, not delivered; at most window, as the sender sends no more
	last    bool     // the last value that was accepted ended the stream
}

// accept keeps a copy of the value, unless it was received before or one ahead of it was lost.
func (s *inStream) accept(seq uint64, body []byte, last bool) bool {
	if seq != s.expect || s.last || len(s.pending) >= window {
		return false
	}
	s.expect++
	s.last = last
	s.pending = append(s.pending, append([]byte(nil), body...))
	return true
}

// delivered removes the oldest pending value. That makes room in the window of the other side as
// soon as it is acknowledged.
func (s *inStream) delivered() {
	s.pending[0] = nil
	s.pending = s.pending[1:]
}

// acknowledged is how many values were delivered.
func (s *inStream) acknowledged() uint64 { return s.expect - uint64(len(s.pending)) }
