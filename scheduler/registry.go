package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/opqueue"
	"github.com/selvage-dev/selvage/ioqueue"
)

// registry knows what each fiber has registered: the sources of its wait, the token of its
// operation, the locks it owns. A header keeps the usual case, one source or one token, in
// four bytes; everything else is in an extension record.
//
// What header.ref means follows from the header's other fields (header.go). So a function
// that changes those fields must move or drop ref's content in the same step, and one that
// reads ref states for which of them it is valid. Every source slot that a fiber refers to is
// counted once in the source table; the audit compares both (I10).
type registry struct {
	exts    extTable
	sources sourceTable
	// Only to find the token in a slot: a header has no room for its 64 bits.
	io *opqueue.Queue
}

// soleSlot is where a fiber keeps the slot of the only source of its wait: in its header, or
// in its extension record if it has one. A wait on several sources has them all in the
// record's list. Without a record the place is valid in a Queue wait or while kept is set; in
// other waits ref is a token or half a deadline.
func (r *registry) soleSlot(h *header) *uint32 {
	if h.has(hasExt) {
		return &r.exts.all[h.ref-1].source
	}
	return &h.ref
}

// sole is the slot of the fiber's only source: of its Queue wait until the result is
// claimed, or the source it has kept; else 0.
func (r *registry) sole(h *header) uint32 {
	if h.kind() == fiber.Queue || h.has(kept|hasExt) {
		return *r.soleSlot(h)
	}
	return 0
}

// keepsSole tells whether the extension record outlasts the wait and names a single source.
func (r *registry) keepsSole(h *header) bool {
	s := r.exts.all[h.ref-1]
	return s.keep && len(s.sources) == 0
}

// attach registers the sources of the wait being armed. It counts references only: the caller
// of Arm parks the ticket in the objects. The fiber has no reference left from an earlier
// wait (forget, unkeep). A single source costs no allocation; a source that is named twice is
// counted, and withdrawn, twice.
func (r *registry) attach(h *header, sources []fiber.Source) {
	if len(sources) == 1 {
		*r.soleSlot(h) = r.sources.hold(sources[0])
		return
	}
	s := r.needExt(h)
	for _, src := range sources {
		s.sources = append(s.sources, r.sources.hold(src))
	}
}

// slotsOf appends the source slots that the fiber refers to, in the order of Arm, with
// repetitions.
func (r *registry) slotsOf(h *header, dst []uint32) []uint32 {
	if slot := r.sole(h); slot != 0 {
		dst = append(dst, slot)
	}
	if s := r.ext(h); s != nil {
		dst = append(dst, s.sources...)
	}
	return dst
}

// hasSources tells whether the fiber refers to any source. The source then decides which
// fiber it wakes and with what (I11), so Wake by ID is refused, and a delivery leaves a
// result to claim.
func (r *registry) hasSources(h *header) bool {
	s := r.ext(h)
	return r.sole(h) != 0 || s != nil && len(s.sources) > 0
}

// sourcesOf are the sources of the fiber's last wait.
func (r *registry) sourcesOf(h *header) (all []fiber.Source) {
	for _, slot := range r.slotsOf(h, nil) {
		all = append(all, r.sources.at(slot).source)
	}
	return all
}

// isHeld reports whether something can end the wait of a fiber: one of its sources holds the
// ticket, it names no source, or something outside can end it. A source that other goroutines wake
// (a Waker) can be between the two: its wake-up is on the way to the owner.
func (r *registry) isHeld(h *header, id fiber.ID) bool {
	if h.kind() != fiber.Queue || h.has(external) {
		return true
	}
	t := fiber.Ticket{ID: id, Seq: h.seq}
	var buf [4]uint32
	slots := r.slotsOf(h, buf[:0])
	for _, slot := range slots {
		src := r.sources.at(slot).source
		if w, ok := src.(interface{ isOnTheWay(fiber.Ticket) bool }); src.Holds(t) || ok && w.isOnTheWay(t) {
			return true
		}
	}
	return len(slots) == 0
}

// withdraw ends the ticket's registration with every source of the wait (I10), and appends
// the wake-ups that this decides. The references stay: a source may have assigned a value to
// the ticket, which the fiber has yet to claim. A source that has removed the ticket itself
// ignores the call.
func (r *registry) withdraw(h *header, t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if slot := r.sole(h); slot != 0 {
		return r.withdrawFrom(slot, t, dst)
	}
	if s := r.ext(h); s != nil {
		for _, slot := range s.sources {
			dst = r.withdrawFrom(slot, t, dst)
		}
	}
	return dst
}

// withdrawFrom withdraws the ticket from one source. A wake-up that it decides on names the source,
// also if the source itself does not.
func (r *registry) withdrawFrom(slot uint32, t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	n := len(dst)
	dst = r.sources.at(slot).source.Withdraw(t, dst)
	nameSource(dst[n:], slot)
	return dst
}

// nameSource notes which source has decided on wake-ups.
func nameSource(decided []fiber.Wakeup, slot uint32) {
	for i := range decided {
		if decided[i].From == 0 {
			decided[i].From = slot
		}
	}
}

// setEndedBy notes which source has ended a wait on several.
func (r *registry) setEndedBy(h *header, slot uint32) {
	if s := r.ext(h); s != nil && len(s.sources) > 0 {
		s.endedBy = slot
	}
}

// dropSource drops the fiber's references to one of several sources.
func (r *registry) dropSource(s *ext, slot uint32) {
	s.sources = slices.DeleteFunc(s.sources, func(other uint32) bool {
		if other == slot {
			r.sources.drop(slot)
		}
		return other == slot
	})
}

// forget drops the fiber's references to the sources of its last wait: nothing can be
// assigned to it any more. It follows withdraw, at once or when the result is claimed. A
// source without references leaves the table and can be collected.
func (r *registry) forget(h *header) {
	h.clear(owed)
	r.dropSole(h)
	if s := r.ext(h); s != nil {
		for _, slot := range s.sources {
			r.sources.drop(slot)
		}
		s.sources, s.endedBy = s.sources[:0], 0
		r.dropExt(h)
	}
}

// dropSole drops the reference to a single source, if there is one.
func (r *registry) dropSole(h *header) {
	if slot := r.soleSlot(h); *slot != 0 {
		r.sources.drop(*slot)
		*slot = 0
	}
}

// unkeep drops the source that the fiber has kept from its last wait: before a wait
// elsewhere, a move, or its death. If the fiber owns that source as a lock, the lock moves
// into the list first, because the flag stands for the kept source only (I12).
func (r *registry) unkeep(h *header) {
	if h.has(holds) {
		r.listKept(h)
	}
	if h.has(kept) {
		h.clear(kept)
		r.dropSole(h)
	}
}

// isKept tells whether the hook is the source that the fiber has kept, so that a flag can
// stand for owning it, and records the source as a lock: the fast paths of Own and Disown
// then compare two words instead of asserting a type.
func (r *registry) isKept(h *header, hook fiber.OwnerHook) bool {
	if h.word&(kept|holds|hasExt) != kept {
		return false
	}
	e := r.sources.at(h.ref)
	if lock, ok := e.source.(fiber.OwnerHook); !ok || lock != hook {
		return false
	}
	e.lock = hook
	return true
}

// listKept moves the lock that the flag stands for into the list, in front of the others
// because it is the oldest: the fiber is about to keep another source. O(locks of the fiber).
func (r *registry) listKept(h *header) {
	h.clear(holds)
	lock := r.sources.at(*r.soleSlot(h)).lock
	s := r.keepExt(h)
	s.owned.AddOldest(lock)
}

// unlist removes the latest entry of a hook from the list of owned locks, and tells whether
// there was one.
func (r *registry) unlist(h *header, hook fiber.OwnerHook) bool {
	s := r.ext(h)
	if s == nil {
		return false
	}
	return s.owned.Remove(hook)
}

// tokenOf is the token that a fiber in an IO wait waits for. In any other wait ref is no
// token's slot.
func (r *registry) tokenOf(h *header) fiber.Token {
	if s := r.ext(h); s != nil {
		return s.token
	}
	return r.io.TokenIn(h.ref)
}

// setToken records the token that a fiber waits for, or 0 when the wait ends. Without a
// record only the token's slot is kept: the operation is the fiber's own (I8), so its slot is
// not given to another operation while the wait lasts.
func (r *registry) setToken(h *header, tok fiber.Token) {
	if h.has(hasExt) {
		r.exts.all[h.ref-1].token = tok
		return
	}
	h.ref = ioqueue.SlotOf(tok)
}

// ext is the fiber's extension record, or nil.
func (r *registry) ext(h *header) *ext {
	if !h.has(hasExt) {
		return nil
	}
	return r.exts.all[h.ref-1]
}

// isPaused reports whether the fiber itself is paused.
func (r *registry) isPaused(h *header) bool {
	s := r.ext(h)
	return s != nil && s.paused
}

// needExt gives the fiber an extension record for as long as the current wait needs it. What
// the header's ref held until now moves into the record, before hasExt changes ref's meaning.
// A record that has been used before is taken first, so it rarely allocates.
func (r *registry) needExt(h *header) *ext {
	if s := r.ext(h); s != nil {
		return s
	}
	i, s := r.exts.take()
	s.source = r.sole(h)
	if h.has(armed) || h.state() == fiber.Blocked {
		switch h.kind() {
		case fiber.Timer:
			s.deadline = h.deadline()
			h.value = 0
		case fiber.IO:
			s.token = r.tokenOf(h)
		}
	}
	h.ref = i
	h.set(hasExt)
	return s
}

// keepExt is needExt for something that lasts until the fiber dies. A record that lasts is
// not freed between waits, so a fiber pays for it once.
func (r *registry) keepExt(h *header) *ext {
	s := r.needExt(h)
	s.keep = true
	return s
}

// dropExt frees the record unless something lasting is in it.
func (r *registry) dropExt(h *header) {
	if s := r.ext(h); s != nil && !s.keep {
		r.freeExt(h)
	}
}

// freeExt gives the record back, if there is one. The references in it are dropped before
// (forget, unkeep), or their sources would stay in the table. ref is 0 then: no source, no
// token.
func (r *registry) freeExt(h *header) {
	if h.has(hasExt) {
		r.exts.give(h.ref)
		h.clear(hasExt)
		h.ref = 0
	}
}
