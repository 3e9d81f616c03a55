package minigo

import (
	"runtime"
	"slices"
	"sync/atomic"
)

// running is an iterator, or a call that calls functions of the program: it may have a goroutine.
type running struct {
	part
	unreachable atomic.Bool // set by the garbage collector, after what the program has
}

type part interface {
	Ended() bool
	Stop() error
}

// reference is a part as a reference of the program.
type reference[T part] struct{ of T }

// minSweep is how many parts are not worth a look at them.
const minSweep = 16

// refer makes a reference. It ends the parts that the program cannot reach any more.
func refer[T part](h *Host, of T) any {
	if len(h.running) >= max(minSweep, h.sweepAt) {
		h.sweep()
	}
	p := &running{part: of}
	h.running = append(h.running, p)
	ref := &reference[T]{of}
	runtime.AddCleanup(ref, func(p *running) { p.unreachable.Store(true) }, p)
	return ref
}

func (h *Host) sweep() {
	h.running = slices.DeleteFunc(h.running, func(p *running) bool {
		if p.unreachable.Load() {
			_ = p.Stop() // a panic of a function that no program uses
		}
		return p.Ended()
	})
	h.sweepAt = 2 * len(h.running)
}

// endRunning ends all, with the run.
func (h *Host) endRunning() {
	for _, p := range h.running {
		_ = p.Stop() // no program runs that could be told
	}
	h.running = nil
}
