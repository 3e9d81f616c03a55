package scope

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// member is one fiber of a scope, as its link.
type member struct {
	scope      *Scope
	id         fiber.ID
	cell       *ioqueue.Cell // nil if it has no join cell
	body       bool
	prev, next *member
}

// roll is the living members in the order of their spawning.
type roll struct {
	first, last *member
	n           int
}

func (r *roll) add(m *member) {
	if m.prev = r.last; m.prev == nil {
		r.first = m
	} else {
		m.prev.next = m
	}
	r.last = m
	r.n++
}

func (r *roll) remove(m *member) {
	if m.prev == nil {
		r.first = m.next
	} else {
		m.prev.next = m.next
	}
	if m.next == nil {
		r.last = m.prev
	} else {
		m.next.prev = m.prev
	}
	m.prev, m.next = nil, nil
	r.n--
}

// order appends the order to cancel, or to kill, every member.
func (r *roll) order(cause error, kill bool, dst []fiber.Order) []fiber.Order {
	for m := r.first; m != nil; m = m.next {
		dst = append(dst, fiber.Order{ID: m.id, Kill: kill, Cause: cause})
	}
	return dst
}
