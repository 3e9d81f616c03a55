package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// The locks a fiber owns are listed in its extension record. A lock that the fiber has
// waited for is also the source it has kept, and needs no record: the flag holds says that
// the fiber owns that source. The flag's lock is older than any in the list, because the flag
// is only set in a fiber without a record, which has no list. So latest first is the list from
// its end, then the flag's; endFiber moves that one into the list first (unkeep).
//
// Own and Disown do not touch the lock. It has decided which fiber holds it, and the host
// reports that here, so that the owner's death reaches the lock (I12). A fiber that owns a lock
// cannot move.

// Own registers something that the current fiber now owns: the hook is called if the fiber
// dies before Disown. Locks are owned by the root, whichever member of its chain took them.
// Owning twice registers twice. The hook's type must be comparable with ==, as a pointer is.
//
// Its fast path serves a lock that the fiber has just waited for, without a record: the flag
// is one bit of a word that the operation has read. Amortized O(1).
func (f Attachments) Own(hook fiber.OwnerHook) {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Own)
	}
	h := c.cur
	if h.word&ownMask != running|kept || c.op != op.None ||
		hook == nil || !identical(&c.reg.sources.at(h.ref).lock, &hook) {
		f.ownSlow(hook)
		return
	}
	h.word |= holds
}

// Disown takes back one Own of the current fiber, latest first. A hook that it does not own
// is ignored: a lock may be released by a fiber that is not its owner. Cost: O(1),
// amortized, in any order.
func (f Attachments) Disown(hook fiber.OwnerHook) {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Own)
	}
	h := c.cur
	if h.word&disownMask != running|holds || c.op != op.None ||
		!identical(&c.reg.sources.at(h.ref).lock, &hook) {
		f.disownSlow(hook)
		return
	}
	h.word &^= holds
}

// ownSlow appends to a record that the fiber has already, without an operation's overhead;
// else it chooses between the flag and a new record.
func (f Attachments) ownSlow(hook fiber.OwnerHook) {
	if s := f.record(); s != nil && hook != nil {
		s.owned.Add(hook)
		return
	}
	c := f.core
	c.enter(op.Own)
	c.executing(op.Own)
	if hook == nil {
		c.refuseAs(op.Own, rule.ValidArgument, "the hook is nil: give Own a value whose OwnerDied releases what is owned")
	}
	if h := c.cur; c.reg.isKept(h, hook) {
		h.set(holds)
	} else {
		s := c.reg.keepExt(h)
		s.owned.Add(hook)
	}
	c.leave()
}

// disownSlow tries the end of the list first, because locks are mostly released in the
// reverse order. The list comes before the flag, because its locks are younger.
func (f Attachments) disownSlow(hook fiber.OwnerHook) {
	if s := f.record(); s != nil {
		if newest := s.owned.Newest(); newest != nil && identical(newest, &hook) {
			s.owned.RemoveNewest()
			return
		}
	}
	c := f.core
	c.enter(op.Own)
	c.executing(op.Own)
	h := c.cur
	if !c.reg.unlist(h, hook) && h.has(holds) && c.reg.sources.at(*c.reg.soleSlot(h)).lock == hook {
		h.clear(holds)
	}
	c.leave()
}

// record is the lasting extension record of the current fiber; nil if it has none yet, or if
// nothing can be owned now: no fiber is current, or another operation is in progress
// (ONE-OWNER). The slow path then refuses by name.
func (f Attachments) record() *ext {
	c := f.core
	h := c.cur
	if h.word&(stateMask|hasExt) != running|hasExt || c.op != op.None || !c.reg.exts.all[h.ref-1].keep {
		return nil
	}
	return c.reg.exts.all[h.ref-1]
}

// releaseOwned calls the owner hooks of a dead fiber, latest first. Each lock follows its own
// owner-death policy (I12): it passes to a waiter, or is poisoned. The wake-ups are delivered
// when the death is complete.
func (f Attachments) releaseOwned(s *ext, owner fiber.ID) {
	for hook := range s.owned.Backward() {
		f.core.Choices().touchedAll(owner)
		f.core.decided(nil)
		n := len(f.core.wakeups)
		f.core.wakeups = hook.OwnerDied(owner, f.core.wakeups)
		if src, ok := hook.(fiber.Source); ok {
			nameSource(f.core.wakeups[n:], src.Anchored().Slot())
		}
		f.core.decided(hook)
	}
}
