package scheduler

import "github.com/selvage-dev/selvage/fiber"

// header is what the scheduler keeps per slot, in front of the payload: 24 bytes without a
// pointer, so the garbage collector skips the slots if the payload has none either. With its four
// bytes in the ready ring that is all a parked fiber costs; what only some fibers need is in their
// extension record.
//
// Only the gate writes the state bits of word (see gate.go). The header of a dead slot has no
// flags, and its seq and gen stay: they are what makes tickets and IDs of the earlier fibers
// stale (I5).
type header struct {
	// seq numbers the current wait, or the last one. A ticket is current iff its Seq equals
	// seq and the wait has not ended (waits).
	seq uint64
	// gen counts the fibers that have lived here; it grows at Spawn.
	gen uint32
	// ref is one of these, in this order of precedence:
	//
	//	dead slot                         the next free slot, index+1
	//	hasExt                            the index of the extension record, from 1
	//	IO wait                           the slot of the token
	//	Timer wait                        the low half of the deadline
	//	Queue wait, until its claim       the slot of the source, or 0
	//	kept                              the slot of the source of the last wait
	ref uint32
	// value is Result.Value of the ended wait; in a Timer wait without an extension record
	// it is the high half of the deadline.
	value uint32
	word  word
}

// word packs state, wait kind, result code and flags, so that a fast path checks its
// precondition with one comparison (fastpath.go).
type word uint32

const (
	stateMask word = 3

	// Bits 2–6 stay 0: there an edge has its operation (op.go), so that word|edge is the
	// index of the prepared error.

	armed   word = 1 << 7 // a ticket is out and the fiber still runs
	latched word = 1 << 8 // that ticket was delivered before the block

	kindShift      = 9
	kindMask  word = 3 << kindShift
	external  word = 1 << 11 // the current wait is counted as external

	codeShift      = 12
	codeMask  word = 7 << codeShift

	killPending   word = 1 << 15 // killed, and here only to unwind
	cancelPending word = 1 << 16 // cancelled, not yet received by the fiber, not masked
	frames        word = 1 << 17 // host frames stand on a native stack and must unwind
	hasExt        word = 1 << 18 // ref is an extension record
	chained       word = 1 << 19 // root: trampolines stand above it
	owed          word = 1 << 20 // a source may hold something assigned to the last ticket
	reapable      word = 1 << 21 // killed, without frames or chain: it dies when popped
	onCallee      word = 1 << 22 // blocked on the trampoline above it, not by a ticket
	timed         word = 1 << 23 // the current wait has a live entry in the timer wheel
	tramp         word = 1 << 24 // the slot is in the trampoline pool
	nests         word = 1 << 25 // root: its native calls pump (pins.go)
	fatal         word = 1 << 26 // root: a Fatal panic is in force at the top of its chain
	kept          word = 1 << 27 // ref is the source of a claimed wait, kept for the next one
	lent          word = 1 << 28 // root: another goroutine runs its slice (lend.go)
	movable       word = 1 << 29 // root: its host lets it move to another scheduler (move.go)
	holds         word = 1 << 30 // root: it owns the source that it has kept (own.go)
	operates      word = 1 << 31 // root: it has submitted operations, which its end abandons
)

const (
	dead     = word(fiber.Dead)
	runnable = word(fiber.Runnable)
	running  = word(fiber.Running)
	blocked  = word(fiber.Blocked)
)

func (h *header) state() fiber.State { return fiber.State(h.word & stateMask) }
func (h *header) kind() fiber.Kind   { return fiber.Kind(h.word & kindMask >> kindShift) }
func (h *header) code() fiber.Code   { return fiber.Code(h.word & codeMask >> codeShift) }
func (h *header) has(f word) bool    { return h.word&f != 0 }
func (h *header) set(f word)         { h.word |= f }
func (h *header) clear(f word)       { h.word &^= f }

// waits reports whether the current ticket can still be delivered: armed and not latched, or
// blocked by it. A root with a chain waits for nothing itself: its armed bit mirrors its
// callee's.
func (h *header) waits() bool {
	return h.word&(armed|chained) == armed || h.state() == fiber.Blocked && !h.has(onCallee)
}

// begin starts wait seq of the given kind: the code becomes Pending, so that the last wait's result
// cannot be claimed again. The caller has checked that the fiber may wait, and mirrors the armed
// bit of a trampoline.
func (h *header) begin(seq uint64, r fiber.Reason) {
	h.seq = seq
	h.word = h.word&^(kindMask|codeMask|external) | word(r.Kind)<<kindShift | armed
	if r.External {
		h.word |= external
	}
}

// conclude records how the wait ended, without changing the state: a wait can end while its fiber
// is still Running. The deadline of a plain Timer wait has been cleared, which shares value.
func (h *header) conclude(r fiber.Result) {
	h.word = h.word&^codeMask | word(r.Code)<<codeShift
	h.value = r.Value
}

// deadline is that of a Timer wait whose fiber has no extension record: ref and value together.
func (h *header) deadline() fiber.Time {
	return fiber.Time(uint64(h.value)<<32 | uint64(h.ref))
}

func (h *header) setDeadline(t fiber.Time) {
	h.ref, h.value = uint32(t), uint32(uint64(t)>>32)
}

// bars reports whether a root's armed and latched bits are barred, and not those of a wait: it
// nests and is in a native call. What is armed is then seen at the innermost call only.
func (h *header) bars() bool { return h.word&(nests|chained) == nests|chained }

// barred is what the root of a nesting fiber shows while it is in a native call: both bits
// at once, which no wait can set. The fast paths compare only these bits, so they refuse:
// YieldCurrent under a call is a contract error without a test of its own.
const barred = armed | latched
