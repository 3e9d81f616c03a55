package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// sourceTable gives each source that fibers refer to a slot number of four bytes, so that a
// parked fiber needs no interface value. The slot counts the fibers that refer to it and is
// freed with the last of them. A fiber refers to the sources of its wait, and afterwards to
// a single source until it waits elsewhere or dies, because most fibers wait on the same
// object again.
type sourceTable struct {
	entries []sourceEntry // entry i-1 is slot i
	free    uint32
}

type sourceEntry struct {
	source fiber.Source
	anchor *fiber.Anchor   // the source's
	lock   fiber.OwnerHook // the source as a lock, once a fiber has owned it as its kept source
	refs   uint32
	next   uint32
}

func (t *sourceTable) at(slot uint32) *sourceEntry { return &t.entries[slot-1] }

// knows tells whether the slot number in a source's anchor is from this table. Two
// schedulers that were given the same number cannot be told apart otherwise.
func (t *sourceTable) knows(a *fiber.Anchor) bool {
	return a.Slot() == 0 || t.has(a)
}

// has tells whether the source has a slot in this table.
func (t *sourceTable) has(a *fiber.Anchor) bool {
	if a == nil { // a nil channel
		return false
	}
	slot := a.Slot()
	return slot-1 < uint32(len(t.entries)) && t.entries[slot-1].anchor == a
}

func (t *sourceTable) hold(src fiber.Source) uint32 {
	a := src.Anchored()
	slot := a.Slot()
	if slot == 0 {
		slot = t.newSlot()
		t.at(slot).source, t.at(slot).anchor = src, a
		a.SetSlot(slot)
	}
	t.at(slot).refs++
	return slot
}

func (t *sourceTable) newSlot() uint32 {
	if t.free == 0 {
		t.entries = append(t.entries, sourceEntry{})
		return uint32(len(t.entries))
	}
	slot := t.free
	t.free = t.at(slot).next
	return slot
}

func (t *sourceTable) drop(slot uint32) {
	e := t.at(slot)
	if e.refs--; e.refs > 0 {
		return
	}
	e.anchor.SetSlot(0)
	*e = sourceEntry{next: t.free}
	t.free = slot
}

// identical tells whether two interface values of one interface type are the same two words.
// Then they are equal, found in far less time than ==, which calls the runtime. If they are
// not identical, they may still be equal.
func identical[I any](a, b *I) bool {
	return *(*[2]uintptr)(unsafe.Pointer(a)) == *(*[2]uintptr)(unsafe.Pointer(b))
}
