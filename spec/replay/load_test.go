package replay

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// load is the run that is in a state of the specification.
func load(c spec.Config, s *spec.State) *run {
	r := newRun(header{Grace: c.Grace, Free: c.Free})
	for f := range spec.MaxFibers {
		r.fibers = append(r.fibers, &root{context: context{id: fiber.NewRegularID(uint32(f), 7).ID()}})
	}
	for t := range spec.MaxTrampolines {
		r.calls = append(r.calls, &call{context: context{id: fiber.NewTrampolineID(uint32(t), 7).ID()}})
	}
	for k := range c.Tokens {
		loadToken(r, s, k)
	}
	for f := range c.Fibers {
		loadRoot(r, s, spec.Regular(f))
	}
	for _, f := range s.Queue() {
		r.ready.push(r.fibers[f])
	}
	if s.Current != spec.NoSlot {
		r.current = r.fibers[s.Current]
	}
	for _, f := range s.Pins() {
		r.pins = append(r.pins, r.fibers[f])
	}
	if s.Grace != spec.NoSlot {
		f := r.fibers[s.Grace]
		f.grace = r.timers.add(&timer{at: graceEnds, root: f, grace: true})
	}
	return r
}

func loadRoot(r *run, s *spec.State, x spec.Slot) {
	f, in := r.fibers[x], &s.Fibers[x]
	f.frames, f.doomed, f.cancel, f.masks = in.Frames, in.Doomed, in.Cancel, int(in.Masks)
	f.nests, f.fatal, f.movable, f.lent, f.held = in.Nests, in.Fatal, in.Movable, in.Lent, in.Held
	r.lent += change(false, f.lent)
	r.held += change(false, f.held)
	loadContext(r, s, x, &f.context, f)
	for _, y := range s.ChainOf(x) {
		t := r.calls[y.Index()]
		t.root = f
		f.chain = append(f.chain, t)
		loadContext(r, s, y, &t.context, f)
	}
}

func loadContext(r *run, s *spec.State, x spec.Slot, c *context, f *root) {
	in := &s.Contexts[x]
	c.status, c.latch, c.outside = in.Status, in.Latch, in.Outside
	r.outside += change(false, c.outside)
	if in.Seq != spec.NoNumber {
		c.wait = waitOf(x, in.Seq)
	}
	if d, has := s.DeadlineOf(x); has {
		c.due = r.timers.add(&timer{at: deadlines100(d), root: f, alone: s.Deadlines[d].Alone})
	}
}

func loadToken(r *run, s *spec.State, k int) {
	in := &s.Tokens[k]
	if in.State == spec.Free && !in.Flying {
		return
	}
	t := &token{name: uint64(k) + 1, state: in.State, flying: in.Flying}
	r.tokens[t.name] = t
	if in.Owner != spec.NoSlot {
		r.fibers[in.Owner].own(t)
	}
	if in.Waiter != spec.NoSlot {
		r.fibers[in.Waiter].awaits = t
		r.awaited++
	}
}

// show is everything that decides how the run goes on, a digit or letter each. That a
// wait has a ticket counts, which one does not: the specification takes the next free
// number.
func show(r *run) string {
	b := make([]byte, 0, 512)
	for _, f := range r.fibers {
		b = append(showContext(b, &f.context), bit(f.frames), bit(f.doomed), '0'+byte(f.cancel), '0'+byte(f.masks),
			bit(f.nests), bit(f.fatal), bit(f.movable), bit(f.lent), bit(f.held), bit(f.awaits != nil), bit(f.grace != nil), '0'+byte(len(f.tokens)), ':')
		for _, t := range f.chain {
			b = showContext(append(b, '0'+byte(t.id.Index())), &t.context)
		}
		b = append(b, ' ')
	}
	for _, t := range r.calls {
		b = append(b, bit(t.root != nil), '0'+byte(t.status))
	}
	b = append(b, ' ')
	for _, f := range r.ready.all[r.ready.head:] {
		b = append(b, '0'+byte(f.id.Index()))
	}
	if r.current != nil {
		b = append(b, '>', '0'+byte(r.current.id.Index()))
	}
	for _, f := range r.pins {
		b = append(b, 'p', '0'+byte(f.id.Index()))
	}
	b = append(b, 'a', '0'+byte(r.awaited), '0'+byte(r.outside), '0'+byte(r.lent), '0'+byte(r.held))
	for k := range uint64(spec.MaxTokens) {
		if t := r.tokens[k+1]; t != nil {
			b = append(b, ' ', 't', '1'+byte(k), '0'+byte(t.state), bit(t.owner != nil), bit(t.flying))
		}
	}
	return string(showTimers(b, r))
}

func showContext(b []byte, c *context) []byte {
	return append(b, "drwqit"[c.status], '0'+byte(c.latch), bit(c.wait != 0), bit(c.due != nil), bit(c.outside))
}

func showTimers(b []byte, r *run) []byte {
	all := slices.SortedFunc(slices.Values(r.timers.heap), func(a, b *timer) int { return int(a.at - b.at) })
	for _, d := range all {
		b = append(b, ' ', 'd', '0'+byte(d.at/50), '0'+byte(d.root.id.Index()), bit(d.alone), bit(d.grace))
	}
	return b
}

func bit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}
