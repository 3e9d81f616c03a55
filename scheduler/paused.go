package scheduler

// pauses says which fibers are held: ready, and not in the ready queue, because they are paused. A
// fiber is paused by a flag in its extension record. It costs nothing until something is paused.
//
// Invariants between operations (I1): active is the number of things that are paused; a fiber is in
// the list of what pauses it exactly while it is held; it is Runnable then, and no kill is pending.
type pauses struct {
	active int // while it is 0, selection does not look here
	held   int // fibers
	own    heldList
	slots  []heldSlot // by slot; as long as the highest slot that was held needs it to be
}

// heldList is the fibers that are held for one reason, in the order in which they were. The links are
// in pauses.slots, so that a fiber leaves any place in O(1).
type heldList struct{ first, last uint32 } // slot+1; 0 is none

type heldSlot struct {
	in         *heldList // nil: it is not held
	prev, next uint32    // slot+1; 0 is none
}

// isHeld reports whether the fiber in the slot is held.
func (p *pauses) isHeld(slot uint32) bool {
	return slot < uint32(len(p.slots)) && p.slots[slot].in != nil
}

// add puts the fiber of a slot, which is in no list, at the end of one.
func (p *pauses) add(l *heldList, slot uint32) {
	for uint32(len(p.slots)) <= slot {
		p.slots = append(p.slots, heldSlot{})
	}
	p.slots[slot] = heldSlot{in: l, prev: l.last}
	if l.last != 0 {
		p.slots[l.last-1].next = slot + 1
	} else {
		l.first = slot + 1
	}
	l.last = slot + 1
	p.held++
}

// remove takes a fiber out of its list.
func (p *pauses) remove(slot uint32) {
	s := p.slots[slot]
	p.slots[slot] = heldSlot{}
	p.held--
	if s.prev != 0 {
		p.slots[s.prev-1].next = s.next
	} else {
		s.in.first = s.next
	}
	if s.next != 0 {
		p.slots[s.next-1].prev = s.prev
	} else {
		s.in.last = s.prev
	}
}
