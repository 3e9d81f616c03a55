package scheduler

import (
	"slices"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/prefetch"
)

// Snapshot is every living fiber, what each waits on, and the fibers that are known to end those
// waits, as of one moment between two operations. It is a copy that the caller owns; only
// SourceState.Name asks the live objects. The zero value is ready to use.
type Snapshot struct {
	Transitions uint64     // that the scheduler had made
	Now         fiber.Time // of the scheduler's clock
	// Fibers are in slot order, each followed by the native calls that it is in.
	Fibers []FiberState
	// Sources are those that a fiber waits on, in the order in which they were met.
	Sources []SourceState

	on      []uint32   // of all fibers: indexes into Sources
	holders []fiber.ID // of all sources
	index   []uint32   // by the scheduler's source slot: the index into Sources plus 1
}

// FiberState is one fiber or native call of a Snapshot. Its name, and where it is in its program, are not
// copied: Inspect's Name and Site tell them for the few that somebody looks at.
type FiberState struct {
	ID       fiber.ID
	Deadline fiber.Time // of its wait; fiber.Never if it has none
	seq      uint64     // of its wait, or its last one
	first, n uint32     // what it waits on, in Snapshot.on
	State    fiber.State
	Kind     fiber.Kind // of its wait, if it is Blocked
	External bool       // the outside can end the wait
	// Calls says that it waits for the native call that follows it in the Snapshot.
	Calls bool
	// Lent says that it is Running and another goroutine runs its slice (Moves.Lend). Of a lent fiber the
	// owner knows nothing but that.
	Lent bool
}

// SourceState is an object that fibers of a Snapshot wait on.
type SourceState struct {
	source         fiber.Source
	first, holders uint32
}

// Name asks the object for its description. Only the owner of the scheduler may call it. The object
// answers with what it is now, which may be later than the Snapshot.
func (s SourceState) Name() string { return nameOf(s.source) }

// On are the indexes of the sources that a fiber of this Snapshot waits on.
func (s *Snapshot) On(f FiberState) []uint32 { return s.on[f.first : f.first+f.n] }

// Holders are the fibers that were known to be able to end the waits on a source; none if any
// fiber might.
func (s *Snapshot) Holders(of SourceState) []fiber.ID {
	return s.holders[of.first : of.first+of.holders]
}

// Moved reports whether a fiber of this Snapshot may have run since. Of a fiber that was blocked on an
// object, a deadline or an operation it is exact; of any other it is true as soon as there was a transition. Only the
// owner of the scheduler may call it. O(1).
func (s *Snapshot) Moved(f FiberState, now Inspect) bool {
	c := now.core
	if c.step == s.Transitions {
		return false
	}
	h := c.find(f.ID)
	return h == nil || f.State != fiber.Blocked || f.Calls || h.state() != fiber.Blocked || h.seq != f.seq
}

// Snapshot uses the memory of an earlier one, so that taking one again and again allocates nothing. It changes nothing in the scheduler. Like a Report it takes time in proportion to
// the slots, what fibers wait on, and the holders of that.
func (f Inspect) Snapshot(memory Snapshot) Snapshot {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	clear(memory.Sources) // the objects of the earlier Snapshot may go
	s := Snapshot{
		Transitions: c.step, Now: c.now,
		Fibers: slices.Grow(memory.Fibers[:0], f.Live()+c.tramps.live), Sources: memory.Sources[:0],
		on: memory.on[:0], holders: memory.holders[:0], index: slices.Grow(memory.index[:0], len(c.reg.sources.entries)),
	}
	s.index = s.index[:len(c.reg.sources.entries)]
	clear(s.index)
	for slot := range c.slots.used {
		if slot%prefetch.Batch == 0 {
			c.reg.prefetch(&c.slots, slot+2*prefetch.Batch)
		}
		h := c.slots.at(slot)
		switch id := fiber.NewRegularID(slot, h.gen); {
		case h.has(chained):
			s.addChain(c, h, id)
		case h.state() != fiber.Dead:
			s.add(c, h, id.ID())
		}
	}
	return s
}

// prefetch loads the beginning of the extension records of a batch of slots, which are all over the memory:
// otherwise a Snapshot would wait for each.
func (r *registry) prefetch(slots *table, from uint32) {
	if !prefetch.Supported || len(r.exts.all) < prefetch.Batch || from+prefetch.Batch > slots.used {
		return
	}
	var lines prefetch.Lines
	first, stride := unsafe.Pointer(slots.at(from)), uintptr(slots.stride) // a batch is within one chunk
	for i := range lines {
		if h := (*header)(unsafe.Add(first, uintptr(i)*stride)); h.has(hasExt) {
			lines[i] = unsafe.Pointer(r.exts.all[h.ref-1])
		}
	}
	prefetch.Load(&lines)
}

// addChain adds a fiber and its native calls from the root up.
func (s *Snapshot) addChain(c *Core, root *header, id fiber.RegularID) {
	s.add(c, root, id.ID())
	first := len(s.Fibers)
	for call := range c.Inspect().ChainOf(id) {
		s.add(c, c.find(call.ID()), call.ID())
	}
	slices.Reverse(s.Fibers[first:]) // the chain is linked from the top down
	for i := first - 1; i < len(s.Fibers)-1; i++ {
		s.Fibers[i].Calls, s.Fibers[i].n = true, 0
	}
}

func (s *Snapshot) add(c *Core, h *header, id fiber.ID) {
	s.Fibers = s.Fibers[:len(s.Fibers)+1] // Snapshot has made room for all
	row := &s.Fibers[len(s.Fibers)-1]
	row.ID, row.State, row.Deadline, row.Lent, row.seq = id, h.state(), fiber.Never, h.has(lent), h.seq
	row.first, row.n, row.Kind, row.External, row.Calls = 0, 0, 0, false, false
	if h.word&(stateMask|onCallee) != blocked {
		return
	}
	row.Kind, row.External = h.kind(), h.has(external)
	slot := h.ref
	if h.has(hasExt) {
		x := c.reg.exts.all[h.ref-1]
		if slot = x.source; len(x.sources) > 0 {
			s.addSeveral(c, h, row)
			slot = 0
		}
		if h.has(timed) {
			row.Deadline = x.deadline
		}
	} else if row.Kind != fiber.Queue {
		slot = 0 // ref is a token, or half a deadline
		if h.has(timed) {
			row.Deadline = h.deadline()
		}
	}
	if slot != 0 { // the usual wait is on one object
		row.first, row.n = uint32(len(s.on)), 1
		s.addSource(c, slot)
	}
}

// addSeveral adds what a fiber waits on that waits on several objects.
func (s *Snapshot) addSeveral(c *Core, h *header, row *FiberState) {
	row.first = uint32(len(s.on))
	var buf [8]uint32
	for _, slot := range unique(c.reg.slotsOf(h, buf[:0])) {
		s.addSource(c, slot)
	}
	row.n = uint32(len(s.on)) - row.first
}

// addSource adds what a fiber waits on. An object is asked for its holders once, however many fibers wait.
func (s *Snapshot) addSource(c *Core, slot uint32) {
	at := s.index[slot-1]
	if at == 0 {
		at = s.describe(c, slot)
	}
	s.on = append(s.on, at-1)
}

// describe adds an object, and returns its index in Sources plus 1.
func (s *Snapshot) describe(c *Core, slot uint32) uint32 {
	o := SourceState{source: c.reg.sources.at(slot).source, first: uint32(len(s.holders))}
	if d, ok := o.source.(fiber.Described); ok {
		s.holders = d.Holders(s.holders)
	}
	o.holders = uint32(len(s.holders)) - o.first
	s.Sources = append(s.Sources, o)
	s.index[slot-1] = uint32(len(s.Sources))
	return s.index[slot-1]
}
