package replay

import "github.com/selvage-dev/selvage/spec"

// close copies back what the step has changed. The names of what is new are those of the
// record: the wait that was armed, its deadline, the end of a grace period.
func (w *window) close(a spec.Action, rec *record) {
	r := w.run
	for i, f := range w.roots[:w.counts.roots] {
		w.take(spec.Regular(i), f, rec)
	}
	for k, t := range w.tokens[:w.counts.tokens] {
		w.takeToken(k, t)
	}
	for i, f := range w.roots[:w.counts.roots] {
		if f.status == spec.Dead && w.before.Contexts[i].Status != spec.Dead {
			w.bequeath(a, f)
		}
	}
	w.takeQueue()
	switch before, after := len(w.before.Pins()), len(w.s.Pins()); {
	case after > before:
		r.pins = append(r.pins, r.current)
	case after < before:
		r.pins[len(r.pins)-1] = nil
		r.pins = r.pins[:len(r.pins)-1]
	}
	r.current = nil
	if w.s.Current != spec.NoSlot {
		r.current = w.roots[w.s.Current]
	}
}

// takeQueue: of the ready queue the window shows at most one.
func (w *window) takeQueue() {
	ready, old, now := &w.run.ready, w.before.Queue(), w.s.Queue()
	switch {
	case len(old) > 0 && len(now) > len(old) && now[0] != old[0]:
		ready.pushFront(w.roots[now[0]])
		return
	case len(old) > 0 && (len(now) == 0 || now[0] != old[0]):
		ready.remove(w.roots[old[0]])
		old = nil
	}
	for _, x := range now[len(old):] {
		ready.push(w.roots[x])
	}
}

// take copies a regular fiber back, with its chain.
func (w *window) take(x spec.Slot, f *root, rec *record) {
	in, was := &w.s.Fibers[x], &w.before.Fibers[x]
	f.frames, f.doomed, f.cancel = in.Frames, in.Doomed, in.Cancel
	f.nests, f.fatal, f.movable = in.Nests, in.Fatal, in.Movable
	w.run.lent += change(f.lent, in.Lent)
	w.run.held += change(f.held, in.Held)
	f.lent, f.held = in.Lent, in.Held
	f.masks += int(in.Masks) - int(was.Masks)
	w.takeContext(x, &f.context, f, rec)
	if f.status == spec.Dead {
		f.masks = 0
	}
	w.takeChain(in, was, f, rec)
	if f == w.grace && w.s.Grace != x {
		w.run.timers.remove(f.grace)
		f.grace = nil
	}
	if w.s.Grace == x && f.grace == nil {
		f.grace = w.run.timers.add(&timer{at: *rec.By, root: f, grace: true})
	}
}

// change is by how much a count of what is so changes.
func change(was, is bool) int {
	switch {
	case is && !was:
		return 1
	case was && !is:
		return -1
	}
	return 0
}

func (w *window) takeChain(in, was *spec.Fiber, f *root, rec *record) {
	if in.Depth > was.Depth {
		t := w.calls[newCall.Index()]
		t.root = f
		f.chain = append(f.chain, t)
	}
	for _, y := range was.Chain[:was.Depth] {
		w.takeContext(y, &w.calls[y.Index()].context, f, rec)
	}
	for _, y := range in.Chain[:in.Depth] {
		w.takeContext(y, &w.calls[y.Index()].context, f, rec)
	}
	if in.Depth < was.Depth {
		last := len(f.chain) - 1
		f.chain[last].root, f.chain[last] = nil, nil
		f.chain = f.chain[:last]
	}
	for i := 1; i < len(f.chain)-1; i++ {
		f.chain[i].status = f.chain[0].status
	}
}

func (w *window) takeContext(x spec.Slot, c *context, f *root, rec *record) {
	in := &w.s.Contexts[x]
	c.status, c.latch = in.Status, in.Latch
	w.run.outside += change(c.outside, in.Outside)
	c.outside = in.Outside
	switch {
	case in.Seq == spec.NoNumber:
		c.wait = 0
	case c.wait == 0:
		c.wait = rec.Wait
	}
	d, live := w.s.DeadlineOf(x)
	switch {
	case !live && c.due != nil:
		w.run.timers.remove(c.due)
		c.due = nil
	case live && c.due == nil:
		c.due = w.run.timers.add(&timer{at: *rec.By, root: f, alone: w.s.Deadlines[d].Alone})
	}
}

func (w *window) takeToken(k int, t *token) {
	in := &w.s.Tokens[k]
	t.state, t.flying = in.State, in.Flying
	w.await(t, in.Waiter)
	switch owner := in.Owner; {
	case t.owner != nil && owner == spec.NoSlot:
		t.disown()
	case t.owner == nil && owner != spec.NoSlot:
		w.roots[owner].own(t)
	}
	w.run.forget(t)
}

// await: only an operation with an owner is awaited, by that.
func (w *window) await(t *token, by spec.Slot) {
	switch f := t.owner; {
	case f == nil:
	case by != spec.NoSlot && f.awaits != t:
		f.awaits = t
		w.run.awaited++
	case by == spec.NoSlot && f.awaits == t:
		f.awaits = nil
		w.run.awaited--
	}
}

// bequeath: a fiber has died that owned more than the window shows. The specification,
// in which a fiber has one operation at a time, says for each what becomes of it.
func (w *window) bequeath(a spec.Action, f *root) {
	for len(f.tokens) > 0 {
		t, again := f.tokens[len(f.tokens)-1], *w
		again.s = w.before
		again.s.Tokens, again.counts.tokens = w.run.blank.Tokens, 0
		k := again.putToken(t)
		again.do(a)
		if again.takeToken(k, t); t.owner == f {
			return // to be found by code that compares the fiber's operations
		}
	}
}
