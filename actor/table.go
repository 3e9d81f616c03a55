package actor

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
)

// phase of an actor's life.
type life uint8

const (
	// reserved: its handle was given out, its OpSpawn waits in the queue.
	reserved life = iota
	// alive: it handles messages.
	alive
	// down: it has failed and is to be restarted; it has no children and handles nothing.
	down
	// gone: nothing finds it any more.
	gone
)

// actor is what the system knows of one actor, through all its lives.
type actor[M any] struct {
	cx        *Context[M] // of the present life
	handler   Handler[M]
	life      life
	unstarted bool     // its New or Start, or a hook of its own, came to no good end, in this life or the last one
	queued    int      // messages in the queue that its inbox counts
	easy      int      // as long as those are fewer there is room for one more, without a closer look
	limit     int      // of those and the unread ones together
	skipped   int      // messages in the queue, the oldest for it, that were pushed out
	room      *room[M] // where senders wait; nil before the first does
	spec      *Spec[M]
	self      Handle
	// Who watches it.
	oldestWatch, youngestWatch *watch[M]
	// As a supervisor: when children failed, those that count. As a child: its next restart.
	failures []fiber.Time
	restart  uint64
	parent   *actor[M] // nil: it is the root
	// The living children, the youngest first: the next older one, the next younger.
	youngest, older, younger *actor[M]
}

// table is the actors by their slots. A slot's generation counts the actors it has held;
// one that has used them up is never taken again.
type table[M any] struct {
	slots []slot[M]
	free  []uint32
	live  int // reserved ones among them
}

// slot has beside the actor its Context, although the actor has it too: a handler is given
// the one and the turn needs the other, and neither load waits for the other's.
type slot[M any] struct {
	actor      *actor[M]
	cx         *Context[M]
	generation uint32
}

// find is the actor of a handle, nil if there is none (any more).
func (t *table[M]) find(h Handle) *actor[M] {
	i := uint64(h.slot())
	if i >= uint64(len(t.slots)) {
		return nil
	}
	if s := &t.slots[i]; s.generation == h.generation() {
		return s.actor
	}
	return nil
}

// begin gives an actor the Context of its next life.
func (t *table[M]) begin(a *actor[M], cx *Context[M]) {
	a.cx = cx
	t.slots[a.self.slot()].cx = cx
}

// add gives an actor a slot and its handle.
func (t *table[M]) add(a *actor[M]) Handle {
	if len(t.slots) == 0 {
		t.slots = make([]slot[M], 1) // slot 0 is for Outside, not for an actor
	}
	i := uint32(len(t.slots))
	if n := len(t.free); n > 0 {
		i = t.free[n-1]
		t.free = t.free[:n-1]
	} else {
		t.slots = append(t.slots, slot[M]{})
	}
	s := &t.slots[i]
	s.actor, s.generation = a, s.generation+1
	t.live++
	return newHandle(i, s.generation)
}

func (t *table[M]) remove(h Handle) {
	s := &t.slots[h.slot()]
	s.actor, s.cx = nil, nil
	t.live--
	if s.generation < math.MaxUint32 {
		t.free = append(t.free, h.slot())
	}
}

// adopt makes the actor the youngest child of its parent.
func (a *actor[M]) adopt(child *actor[M]) {
	child.older = a.youngest
	if a.youngest != nil {
		a.youngest.younger = child
	}
	a.youngest = child
}

// leave takes the actor off its parent's children.
func (a *actor[M]) leave() {
	switch {
	case a.younger != nil:
		a.younger.older = a.older
	case a.parent != nil && a.parent.youngest == a:
		a.parent.youngest = a.older
	}
	if a.older != nil {
		a.older.younger = a.younger
	}
	a.older, a.younger = nil, nil
}
