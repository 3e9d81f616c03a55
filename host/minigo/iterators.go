package minigo

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
)

// iterator is an iterator of Go that has not ended. It may have a goroutine.
type iterator struct {
	*bind.Pull
	unreachable atomic.Bool // set by the garbage collector, after what the program has
}

// iteratorRef is an iterator as a reference of the program.
type iteratorRef struct{ *iterator }

// minSweep is how many iterators are not worth a look at them.
const minSweep = 16

// iterator makes a reference. It ends the iterators that the program cannot call any more.
func (h *Host) iterator(p *bind.Pull) any {
	if len(h.iterators) >= max(minSweep, h.sweepAt) {
		h.sweepIterators()
	}
	it := &iterator{Pull: p}
	h.iterators = append(h.iterators, it)
	ref := &iteratorRef{it}
	runtime.AddCleanup(ref, func(it *iterator) { it.unreachable.Store(true) }, it)
	return ref
}

func (h *Host) sweepIterators() {
	h.iterators = slices.DeleteFunc(h.iterators, func(it *iterator) bool {
		if it.unreachable.Load() {
			_ = it.Stop() // a panic of a function that no program uses
		}
		return it.Ended()
	})
	h.sweepAt = 2 * len(h.iterators)
}

// endIterators ends all, with the run.
func (h *Host) endIterators() {
	for _, it := range h.iterators {
		_ = it.Stop() // no program runs that could be told
	}
	h.iterators = nil
}

// next returns the next values of an iterator, and whether there are any.
func (h *Host) next(c *lib.Call, native string) {
	n, _, refs, r := c.Windows()
	clear(n)
	clear(refs)
	ref, ok := r[0].(*iteratorRef)
	if !ok {
		return // the function returned an error instead
	}
	values, err := ref.Next()
	if err == nil && values != nil {
		e := &entering{Host: h}
		err = e.results(c, h.machine.Bound(native).Results, append(values, bind.BoolValue(true)))
		c.Pay(e.steps)
	}
	if err != nil {
		c.Raise(err)
	}
}
