package replay

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// run is the state of a run of any size: what a spec.State has of each context, and the
// names it has in the run.
type run struct {
	number uint16 // the scheduler's
	fibers []*root
	calls  []*call
	ready  queue
	// current is the Running root, or nil.
	current *root
	pins    []*root // whose chains lie under pumps, the innermost last
	tokens  map[uint64]*token
	awaited int // how many of them
	outside int // how many waits end from outside
	lent    int // how many slices workers run
	held    int // how many fibers are held
	timers  timers
	waits   uint64 // the last one armed
	bounds  spec.Config
	blank   spec.State // the first state of the bounds
}

// context is what a fiber of either pool has.
type context struct {
	id      fiber.ID // of who lives here, or lived here last
	status  spec.Status
	latch   spec.Latch
	wait    uint64 // whose ticket is current, or 0
	due     *timer // its deadline, if that is live
	outside bool   // the wait ends from outside
}

// root is a slot of the regular pool.
type root struct {
	context
	frames  bool
	nests   bool
	doomed  bool
	fatal   bool // a verdict has ended its wait with a Fatal panic
	movable bool
	lent    bool
	held    bool
	cancel  spec.Cancellation
	masks   int
	chain   []*call // the lowest first
	tokens  []*token
	awaits  *token // one of them
	grace   *timer
}

// call is a slot of the trampoline pool.
type call struct {
	context
	root *root // nil while it is dead
}

// token is an operation that has not ended.
type token struct {
	name   uint64
	state  spec.TokenState
	owner  *root
	index  int // in owner.tokens
	flying bool
}

func newRun(h header) *run {
	c := spec.Config{
		Fibers: 3, Trampolines: spec.MaxTrampolines, Tokens: spec.MaxTokens, Tickets: 2,
		Deadlines: 2, Masks: spec.MaxMasks, Grace: h.Grace, Pins: spec.MaxPins,
		Moves: true, Outside: true, Lends: true, Fronts: true, Holds: true, Free: h.Free,
	}
	return &run{number: h.Scheduler, tokens: map[uint64]*token{}, bounds: c, blank: c.Init()}
}

// top is what executes when f is current.
func (f *root) top() *context {
	if n := len(f.chain); n > 0 {
		return &f.chain[n-1].context
	}
	return &f.context
}

// executing is the context that executes, or nil.
func (r *run) executing() *context {
	if r.current == nil {
		return nil
	}
	return r.current.top()
}

// find is the slot that an ID names, and the root of its chain. Both are nil if the slot
// has never been used; the root is nil if no fiber lives there.
func (r *run) find(id fiber.ID) (*context, *root) {
	slot := int(id.Index())
	switch {
	case id.IsTrampoline() && slot < len(r.calls):
		return &r.calls[slot].context, r.calls[slot].root
	case !id.IsTrampoline() && slot < len(r.fibers):
		f := r.fibers[slot]
		if f.status == spec.Dead {
			return &f.context, nil
		}
		return &f.context, f
	}
	return nil, nil
}

// alive is the living fiber of that name with the root of its chain, or nil.
func (r *run) alive(id fiber.ID) (*context, *root) {
	if c, f := r.find(id); c != nil && c.id == id && c.status != spec.Dead {
		return c, f
	}
	return nil, nil
}

// forget: nothing is at the device, and no query follows.
func (r *run) forget(t *token) {
	if t.state == spec.Free && !t.flying {
		delete(r.tokens, t.name)
	}
}

// own gives the operation to its owner.
func (f *root) own(t *token) {
	t.owner, t.index = f, len(f.tokens)
	f.tokens = append(f.tokens, t)
}

// disown takes the operation from its owner.
func (t *token) disown() {
	f, last := t.owner, len(t.owner.tokens)-1
	f.tokens[t.index] = f.tokens[last]
	f.tokens[t.index].index = t.index
	f.tokens[last] = nil
	f.tokens = f.tokens[:last]
	t.owner = nil
}
