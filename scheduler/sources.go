package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// sourceTable gives each source that fibers refer to a slot number of four bytes, so that a
// parked fiber needs no interface value. The slot counts the fibers that refer to it and is
// freed with the last of them. A fiber refers to the sources of its wait, and afterwards to a
// single source until it waits elsewhere or dies, because most fibers wait on the same object
// again.
//
// The source's anchor and the table refer to each other: entries[slot-1].anchor is the anchor
// whose Slot is slot, or the entry is free. A table that registered each source when it is
// made would never know when to let it go (docs/decisions/0002-anchor-in-the-source.md).
type sourceTable struct {
	entries []sourceEntry // entry i-1 is slot i
	free    uint32
}

type sourceEntry struct {
	source fiber.Source
	anchor *fiber.Anchor // the source's
	// The source as a lock, once a fiber has owned it as its kept source: Own and Disown
	// compare with it.
	lock fiber.OwnerHook
	refs uint32
	next uint32
}

// at is the entry of a slot that is in use. The pointer is valid until the table grows.
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

// hold counts one more reference, and gives a source that has none a slot. The anchor tells
// which in O(1): no map from source to slot is needed. The source is known to belong here
// (knows).
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

// newSlot is the entry that was freed last, or a new one: the table is as large as the most
// sources that were referred to at once.
func (t *sourceTable) newSlot() uint32 {
	if t.free == 0 {
		t.entries = append(t.entries, sourceEntry{})
		return uint32(len(t.entries))
	}
	slot := t.free
	t.free = t.at(slot).next
	return slot
}

// drop counts one reference less. The last one frees the slot and clears the entry, so that
// the source can be collected; its anchor has no slot then and may get another one later.
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
