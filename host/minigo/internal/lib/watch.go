package lib

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// watchNatives are how package sync says what it orders.
func watchNatives() map[string]Func {
	return map[string]Func{
		"sync.acquire": func(c *Call) {
			object, key := c.Interface(), c.Interface()
			if c.Watcher != nil {
				c.Watcher.Acquire(object, key)
			}
		},
		"sync.release": func(c *Call) { c.release(false) },
		"sync.merge":   func(c *Call) { c.release(true) },
		"sync.adding": func(c *Call) {
			object, n, delta := c.Interface(), c.Int(), c.Int()
			if o, ok := object.R.(*value.Object); ok && c.Watcher != nil {
				c.Watcher.Adding(o, n, delta)
			}
		},
		"sync.waiting": func(c *Call) {
			if o, ok := c.Interface().R.(*value.Object); ok && c.Watcher != nil {
				c.Watcher.Waiting(o)
			}
		},
	}
}

func (c *Call) release(merge bool) {
	object, key := c.Interface(), c.Interface()
	if c.Watcher != nil {
		c.Watcher.Release(object, key, merge)
	}
}

// watchSlice is a read of the elements that a native function is given: words, references, or
// interfaces, which have two words and a reference.
func (h *Host) watchSlice(s Slice) {
	if h.Watcher == nil || s.Object == nil {
		return
	}
	switch {
	case len(s.R) == 0:
		h.watchElements(s, &code.Type{N: 1})
	case len(s.N) == 0:
		h.watchElements(s, &code.Type{R: 1})
	default:
		h.watchElements(s, &code.Type{N: 2, R: 1})
	}
}

// watchElements is a read of all elements.
func (h *Host) watchElements(s Slice, t *code.Type) {
	if h.Watcher != nil && s.Object != nil {
		h.Watcher.Words(s.N[s.Off*t.N:(s.Off+s.Len)*t.N], s.R[s.Off*t.R:(s.Off+s.Len)*t.R], false)
	}
}
