package scheduler

import "github.com/selvage-dev/selvage/fiber"

// header is what the scheduler keeps per slot: 24 bytes without a pointer, in front
// of the payload. With its four bytes in the ready ring that is all a parked fiber
// costs; whatever only some fibers need is in their side record.
//
// Only the gate writes the state bits of word (see gate.go).
type header struct {
	// seq numbers the current wait, or the last one. A ticket is live iff its Seq is
	// this one and the wait has not ended (waits).
	seq uint64
	// gen counts the fibers that lived here; it grows at Spawn.
	gen uint32
	// ref is, by what the word says: the side record (hasSide); else, during a wait
	// and until its result is claimed, the source slot (Queue) or the low half of
	// the deadline (Timer), or during it the token's slot (IO); else the source slot of the last wait (kept) or 0. In a
	// dead slot it links the free list (index+1).
	ref uint32
	// value is Result.Value of the ended wait; the deadline's high half during a
	// Timer wait without a side record.
	value uint32
	word  word
}

// word packs state, wait kind, result code and flags, so that the precondition of a
// hot transition is one compare.
type word uint32

const (
	stateMask word = 3

	// Bits 2–6 stay 0: there an edge has its operation (op.go), so that word|edge
	// finds the prepared error.

	armed   word = 1 << 7 // a ticket is out, the fiber still runs
	latched word = 1 << 8 // that ticket was delivered before the block

	kindShift      = 9
	kindMask  word = 3 << kindShift
	external  word = 1 << 11 // the current wait is counted as external

	codeShift      = 12
	codeMask  word = 7 << codeShift

	killPending   word = 1 << 15 // killed; here only to unwind
	cancelPending word = 1 << 16 // cancelled, not told yet, and not masked
	frames        word = 1 << 17 // host frames stand on a native stack and must unwind
	hasExt        word = 1 << 18 // ref is a side record
	chained       word = 1 << 19 // root: trampolines stand above it
	owed          word = 1 << 20 // a source may hold something assigned to the last ticket
	reapable      word = 1 << 21 // doomed and without frames or chain: dies when popped
	onCallee      word = 1 << 22 // blocked on the trampoline above it, not by a ticket
	timed         word = 1 << 23 // the current wait has a live entry in the timer wheel
	tramp         word = 1 << 24 // the slot is of the trampoline pool
	nests         word = 1 << 25 // root: its native calls pump (nest.go)
	fatal         word = 1 << 26 // root: a Fatal panic is in force at the top of its chain
	kept          word = 1 << 27 // ref is the source of a claimed wait, at hand for the next one
	lent          word = 1 << 28 // root: another goroutine runs its slice (lend.go)
	movable       word = 1 << 29 // root: its host lets it go on in another scheduler (move.go)
	holds         word = 1 << 30 // root: it owns the source that it has kept (own.go)
	operates      word = 1 << 31 // root: it has submitted operations; its end looks at what is left of them
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

// waits tells whether the current ticket can still be delivered: armed and not
// latched, or blocked by it. A root with a chain waits for nothing itself: its armed
// bit is its callee's, mirrored.
func (h *header) waits() bool {
	return h.word&(armed|chained) == armed || h.state() == fiber.Blocked && !h.has(onCallee)
}

// begin starts wait seq of the given kind on a fiber that has just been found fit.
func (h *header) begin(seq uint64, r fiber.Reason) {
	h.seq = seq
	h.word = h.word&^(kindMask|codeMask|external) | word(r.Kind)<<kindShift | armed
	if r.External {
		h.word |= external
	}
}

// conclude records how the wait ended; it says nothing about the state.
func (h *header) conclude(r fiber.Result) {
	h.word = h.word&^codeMask | word(r.Code)<<codeShift
	h.value = r.Value
}

func (h *header) deadline() fiber.Time {
	return fiber.Time(uint64(h.value)<<32 | uint64(h.ref))
}

func (h *header) setDeadline(t fiber.Time) {
	h.ref, h.value = uint32(t), uint32(uint64(t)>>32)
}
