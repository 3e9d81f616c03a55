package island

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// window is how many values of a stream may be on their way, not delivered yet.
const window = 64

// The time after which a bridge sends again what was not acknowledged; it doubles each
// time, up to the longest, until something is.
const (
	firstPatience   = 20 * time.Millisecond
	longestPatience = time.Second
)

// outStream is the sending half of an effectively-once stream over a transport that is
// at-least-once at best: values are numbered, kept until they are acknowledged, and sent
// again meanwhile. It is pure: what is to be sent now it leaves in unsent.
type outStream struct {
	number   uint32
	kept     [][]byte // not acknowledged, oldest first
	done     uint64   // how many were acknowledged
	unsent   int      // the last so many of kept have never been sent
	last     bool     // the last of kept ends the stream
	again    fiber.Time
	patience time.Duration

	awaits     bool       // more is to come of what has arrived than that it has
	unanswered bool       // nothing was heard since something was sent
	silent     fiber.Time // when that was
}

func (o *outStream) hasRoom() bool { return len(o.kept) < window && !o.last }

func (o *outStream) push(body []byte) {
	o.kept = append(o.kept, body)
	o.unsent++
}

// finish ends the stream: with a value of its own, so that it is acknowledged too.
func (o *outStream) finish() {
	if !o.last {
		o.push(nil)
		o.last = true
	}
}

// await has the other side asked whether it lives, for as long as more is to come of it than
// acknowledgements, also when all have.
func (o *outStream) await(more bool) {
	if o.awaits = more; !more && len(o.kept) == 0 {
		o.unanswered = false // what is not asked any more
	}
}

// overdue tells whether nothing was heard for so long of what was sent.
func (o *outStream) overdue(now fiber.Time, patience time.Duration) bool {
	return o.unanswered && now >= o.silent.After(patience)
}

// acked notes that so many were delivered. Less than was known, or more than was sent, is
// an old or a forged acknowledgement. No more than was known says that the other side lives.
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
	o.rearm(now, firstPatience)
	return true
}

func (o *outStream) rearm(now fiber.Time, patience time.Duration) {
	o.patience, o.again = patience, now.After(patience)
}

// due are the values to be sent now, and the number of the first: the new ones, or all
// that were not acknowledged in time. If all were and more is awaited, it is the number of the
// last of them, without the value: what is known already is acknowledged once more.
func (o *outStream) due(now fiber.Time) (first uint64, bodies [][]byte) {
	sent := len(o.kept) - o.unsent
	switch {
	case sent == 0 && o.unsent > 0:
		o.rearm(now, firstPatience)
	case (sent > 0 || o.awaits) && now >= o.again:
		o.rearm(now, min(2*o.patience, longestPatience))
		sent = 0
	case o.unsent == 0:
		return 0, nil
	}
	if !o.unanswered {
		o.unanswered, o.silent = true, now
	}
	if len(o.kept) == 0 {
		return o.done - 1, [][]byte{nil}
	}
	o.unsent = 0
	return o.done + uint64(sent), o.kept[sent:]
}

// next is when due is to be asked again; Never if nothing is on its way, or awaited.
func (o *outStream) next() fiber.Time {
	if len(o.kept) == 0 && !o.awaits {
		return fiber.Never
	}
	return o.again
}

// inStream is the receiving half: it takes the values in their order, each once.
type inStream struct {
	number  uint32
	expect  uint64   // the next to be taken
	pending [][]byte // taken and not delivered: at most window, because no more are on their way
	last    bool     // the last of pending, or of those delivered, ended it
}

// take takes a value, copied; or it is an old one, or one whose forerunner was lost.
func (s *inStream) take(seq uint64, body []byte, last bool) bool {
	if seq != s.expect || s.last || len(s.pending) >= window {
		return false
	}
	s.expect++
	s.last = last
	s.pending = append(s.pending, append([]byte(nil), body...))
	return true
}

// delivered drops the oldest of pending.
func (s *inStream) delivered() {
	s.pending[0] = nil
	s.pending = s.pending[1:]
}

// acknowledges is what the other side is to be told.
func (s *inStream) acknowledges() uint64 { return s.expect - uint64(len(s.pending)) }
