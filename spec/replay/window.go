package replay

import (
	"slices"

	"github.com/selvage-dev/selvage/spec"
)

// window is what one step of the machine sees of the run, as a state of the
// specification. Everything in it is as in the run, but
//
//   - of a chain there are its root, its top and, for all the callers between them, the
//     lowest: callers that wait for their callee, and those that run, are all alike;
//   - of the operations of a fiber there are the one it awaits and the one the step names;
//   - the tickets in circulation are the current one, with number 0, and the one the step
//     names. The others change nothing;
//   - of the chains under pumps there are those that are shown for another reason, and
//     the innermost where it counts;
//   - a fiber that masks its cancellation does so once.
type window struct {
	run    *run
	before spec.State
	s      spec.State

	roots  [2]*root // by regular slot
	calls  [spec.MaxTrampolines]*call
	tokens [spec.MaxTokens]*token
	counts struct{ roots, calls, tokens, deadlines int }
	grace  *root // whose grace period is in the window
}

// newCall is the slot of the trampoline that a step acquires, or of a dead one it names.
var newCall = spec.Trampoline(spec.MaxTrampolines - 1)

// deadSlot is the regular slot of a dead fiber that a step names.
var deadSlot = spec.Regular(2)

// open shows the chain that executes.
func (r *run) open() *window {
	w := &window{run: r, s: r.blank}
	if r.current != nil {
		w.s.Current = w.put(r.current)
	}
	return w
}

// put shows a regular fiber with its chain.
func (w *window) put(f *root) spec.Slot {
	if i := slices.Index(w.roots[:w.counts.roots], f); i >= 0 {
		return spec.Regular(i)
	}
	x := spec.Regular(w.counts.roots)
	w.roots[w.counts.roots] = f
	w.counts.roots++
	w.show(x, &f.context)
	if n := len(f.chain); n > 0 {
		if n > 1 {
			w.stack(x, f.chain[0])
		}
		w.stack(x, f.chain[n-1])
	}
	in := &w.s.Fibers[x]
	in.Frames, in.Doomed, in.Cancel, in.Masks = f.frames, f.doomed, f.cancel, uint8(min(f.masks, 1))
	in.Nests, in.Fatal, in.Movable, in.Lent, in.Held = f.nests, f.fatal, f.movable, f.lent, f.held
	if f.awaits != nil {
		w.s.Tokens[w.putToken(f.awaits)].Waiter = x
	}
	return x
}

func (w *window) stack(x spec.Slot, t *call) {
	y := spec.Trampoline(w.counts.calls)
	w.calls[w.counts.calls] = t
	w.counts.calls++
	w.show(y, &t.context)
	in := &w.s.Fibers[x]
	in.Chain[in.Depth] = y
	in.Depth++
}

func (w *window) show(x spec.Slot, c *context) {
	in := &w.s.Contexts[x]
	in.Status, in.Latch, in.Outside = c.status, c.latch, c.outside
	if c.wait != 0 {
		in.Seq, in.Hands[0] = 0, spec.Held
	}
	if c.due != nil {
		w.s.Deadlines[w.counts.deadlines] = spec.Deadline{Holder: x, Alone: c.due.alone}
		w.counts.deadlines++
	}
}

// putGrace shows the grace period of a fiber that is shown, if one runs.
func (w *window) putGrace(f *root) {
	if f.grace != nil {
		w.grace, w.s.Grace = f, w.put(f)
	}
}

// putToken shows an operation, with its owner.
func (w *window) putToken(t *token) int {
	if i := slices.Index(w.tokens[:w.counts.tokens], t); i >= 0 {
		return i
	}
	k := w.counts.tokens
	w.tokens[k] = t
	w.counts.tokens++
	w.s.Tokens[k] = spec.Token{State: t.state, Owner: spec.NoSlot, Waiter: spec.NoSlot, Flying: t.flying}
	if t.owner != nil {
		w.s.Tokens[k].Owner = w.put(t.owner)
	}
	return k
}

// slotOf is where a context is shown whose root is. One that is not, because it stands
// in the middle of a chain, is shown by the lowest call.
func (w *window) slotOf(c *context, f *root) spec.Slot {
	x := w.put(f)
	switch chain := w.s.ChainOf(x); {
	case c == &f.context:
		return x
	case c == f.top():
		return chain[len(chain)-1]
	default:
		return chain[0]
	}
}

// do does the step there, and tells what the caller is told; false if it is refused.
func (w *window) do(a spec.Action) (spec.Answer, bool) {
	w.pin()
	w.before = w.s
	return w.run.bounds.Step(&w.s, a)
}

// refuses tells whether the specification does not allow the step.
func (w *window) refuses(a spec.Action) bool {
	w.pin()
	return !w.run.bounds.Can(&w.s, a)
}

// pin shows which of the chains that are shown lie under pumps, in their order.
func (w *window) pin() {
	if len(w.s.Pins()) > 0 {
		return
	}
	for _, f := range w.run.pins {
		if i := slices.Index(w.roots[:w.counts.roots], f); i >= 0 {
			w.s.Pin(spec.Regular(i))
		}
	}
}
