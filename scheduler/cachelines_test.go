//go:build (amd64 || arm64) && !invariants && !race

package scheduler

import (
	"maps"
	"testing"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// footprint is how many lines of the cache a transition touches: of the slots, of the ready
// ring, and of the scheduler itself; and how many other objects, which are the tables that
// lead to slots and what only some fibers have (side records, native calls, what is waited on).
type footprint struct{ slots, ring, core, rest int }

// cacheFixture is some fibers that take turns.
type cacheFixture struct {
	*Scheduler[[40]byte]
	src plainSource
}

const cacheFibers = 20

func newCacheFixture(rounds int) *cacheFixture {
	p := &cacheFixture{Scheduler: New[[40]byte](Config{})}
	for range cacheFibers {
		_, _ = p.SpawnWith([40]byte{}, Options{Movable: true})
	}
	p.turns(rounds)
	p.mount()
	return p
}

// fillBatch makes sure that ScheduleNext has a fiber to return, and a batch that a fiber
// which comes to the back does not join.
func (p *cacheFixture) fillBatch() {
	if p.taken == p.drawn {
		p.Poll()
	}
}

// mount runs the next fiber.
func (p *cacheFixture) mount() fiber.ID {
	p.fillBatch()
	p.ScheduleNext()
	return p.Current()
}

func (p *cacheFixture) turns(n int) {
	for range n {
		p.mount()
		p.YieldCurrent()
	}
}

// mountAgain lets the others have their turn and mounts the one that was woken before them.
func (p *cacheFixture) mountAgain(id fiber.ID) {
	for p.mount() != id {
		p.YieldCurrent()
	}
}

// killNext kills the current fiber when it is ready, and lets the others run until it is the next.
func (p *cacheFixture) killNext() {
	id := p.Current()
	p.YieldCurrent()
	for _ = p.Kill(id, nil); p.taken != p.drawn || p.ring.at(p.ring.head) != id.Index(); p.YieldCurrent() {
		p.mount()
	}
}

// call puts a native call on top of the current fiber.
func (p *cacheFixture) call() fiber.TrampolineID {
	id, _ := p.AcquireTrampoline()
	return id
}

// cacheCase leads up to a transition of the gate, or of what goes with one: a fiber runs, and
// the step is what happens next. Where the step is repeated, all of it finds its memory made.
type cacheCase struct {
	name string
	most footprint
	step func(p *cacheFixture) func() any
}

var cacheCases = []cacheCase{
	{"ScheduleNext", footprint{1, 0, 4, 0}, func(p *cacheFixture) func() any {
		p.YieldCurrent()
		p.fillBatch()
		return func() any { return p.ScheduleNext() != nil }
	}},
	{"YieldCurrent", footprint{1, 1, 4, 0}, func(p *cacheFixture) func() any {
		return func() any { p.YieldCurrent(); return true }
	}},
	{"a batch of sixteen", footprint{16, 1, 9, 1}, func(p *cacheFixture) func() any {
		p.YieldCurrent()
		for p.ScheduleNext() != nil {
			p.YieldCurrent()
		}
		return func() any { return p.Steps().BeginBatch() }
	}},
	{"Spawn", footprint{1, 1, 6, 1}, func(p *cacheFixture) func() any {
		p.KillCurrent()
		return func() any { _, err := p.Spawn([40]byte{1}); return err == nil }
	}},
	{"KillCurrent", footprint{1, 0, 4, 0}, func(p *cacheFixture) func() any {
		return func() any { p.KillCurrent(); return true }
	}},
	{"BlockForQueue", footprint{1, 0, 4, 0}, func(p *cacheFixture) func() any {
		return func() any { _, how := p.BlockForQueue(); return how == Parked }
	}},
	{"Deliver", footprint{1, 1, 5, 1}, func(p *cacheFixture) func() any {
		t, _ := p.BlockForQueue()
		return func() any { return p.Deliver(t, ok) == fiber.Woken }
	}},
	{"Claim", footprint{1, 0, 1, 0}, func(p *cacheFixture) func() any {
		t, _ := p.BlockForQueue()
		p.Deliver(t, ok)
		p.mountAgain(t.ID)
		return func() any { claimed, _ := p.Claim(); return claimed == t }
	}},
	{"BlockOn", footprint{1, 0, 5, 1}, func(p *cacheFixture) func() any {
		t, _ := p.BlockOn(&p.src)
		p.Apply(fiber.Wakeup{Ticket: t, Result: ok, From: p.src.Slot()})
		p.mountAgain(t.ID)
		p.Claim()
		return func() any { _, how := p.BlockOn(&p.src); return how == Parked }
	}},
	{"Apply", footprint{1, 1, 5, 1}, func(p *cacheFixture) func() any {
		t, _ := p.BlockOn(&p.src)
		w := fiber.Wakeup{Ticket: t, Result: ok, From: p.src.Slot()}
		return func() any { return p.Apply(w) == fiber.Woken }
	}},
	{"Block, delivered before", footprint{1, 1, 5, 0}, func(p *cacheFixture) func() any {
		p.Deliver(p.ArmForQueue(), ok)
		return func() any { return p.Block() == Requeued }
	}},
	{"Kill a blocked fiber", footprint{1, 0, 8, 1}, func(p *cacheFixture) func() any {
		p.KillCurrent() // there is a free slot to link to
		p.mount()
		t, _ := p.BlockForQueue()
		return func() any { return p.Kill(t.ID, nil) == nil }
	}},
	{"reap a doomed one", footprint{2, 2, 10, 5}, func(p *cacheFixture) func() any {
		p.killNext()
		p.Steps().clearHeads() // makes the memory
		p.mount()
		p.killNext()
		return func() any { p.Steps().clearHeads(); return p.Inspect().Live() }
	}},
	{"AcquireTrampoline", footprint{1, 0, 6, 5}, func(p *cacheFixture) func() any {
		p.ReleaseTrampoline(p.call())
		return func() any { _, err := p.AcquireTrampoline(); return err == nil }
	}},
	{"ReleaseTrampoline", footprint{1, 0, 6, 5}, func(p *cacheFixture) func() any {
		p.ReleaseTrampoline(p.call())
		id := p.call()
		return func() any { p.ReleaseTrampoline(id); return true }
	}},
	{"Block in a native call", footprint{1, 0, 7, 4}, func(p *cacheFixture) func() any {
		p.call()
		p.ArmForQueue()
		return func() any { return p.Block() == Parked }
	}},
	{"Deliver to a native call", footprint{1, 1, 9, 3}, func(p *cacheFixture) func() any {
		p.call()
		t := p.ArmForQueue()
		p.Block()
		return func() any { return p.Deliver(t, ok) == fiber.Woken }
	}},
	{"MoveOut the last", footprint{1, 1, 8, 2}, func(p *cacheFixture) func() any {
		p.YieldCurrent()
		moved := make([]Moved[[40]byte], 0, 1)
		return func() any { return len(p.Moves().MoveOutLast(1, moved)) }
	}},
	{"MoveIn", footprint{1, 1, 8, 1}, func(p *cacheFixture) func() any {
		p.YieldCurrent()
		moved := p.Moves().MoveOutLast(1, nil)
		return func() any { _, err := p.Moves().MoveIn(moved[0]); return err == nil }
	}},
}

// A switch costs what its lines cost once the fibers are more than the cache holds: each
// touches one line of its slot and as few as possible of what all share.
func TestATransitionTouchesNoMoreLinesThanItNeeds(t *testing.T) {
	for _, s := range cacheCases {
		var got footprint
		for _, rounds := range []int{0, 7} {
			p := newCacheFixture(rounds)
			n := touched(t, p.Scheduler, s.step(p))
			got.slots, got.ring = max(got.slots, n["slots"]), max(got.ring, n["ring"])
			got.core, got.rest = max(got.core, n["core"]), max(got.rest, n["rest"])
		}
		if got.slots > s.most.slots || got.ring > s.most.ring || got.core > s.most.core || got.rest > s.most.rest {
			t.Errorf("%s touches lines %+v, enough were %+v", s.name, got, s.most)
		}
	}
}

// The measure itself: it finds what is read, what is written as it was, and nothing else.
func TestWhatIsTouchedIsFoundToTheLine(t *testing.T) {
	p := newCacheFixture(3)
	for name, c := range map[string]struct {
		step func() any
		want map[string]int
	}{
		"nothing":             {func() any { return 1 }, map[string]int{}},
		"a read":              {func() any { return p.counts.Lost }, map[string]int{"core": 1}},
		"a flag":              {func() any { return p.stale }, map[string]int{"core": 1}},
		"a write of the same": {func() any { p.slots.at(3).value = p.slots.at(9).value; return 1 }, map[string]int{"core": 1, "slots": 2, "rest": 1}},
		"a payload":           {func() any { return (*Fiber[[40]byte])(unsafe.Pointer(p.slots.at(5))).Data[39] }, map[string]int{"core": 1, "slots": 1, "rest": 1}},
	} {
		if got := touched(t, p.Scheduler, c.step); !maps.Equal(got, c.want) {
			t.Errorf("%s touches %v, not %v", name, got, c.want)
		}
	}
}

// A slot with 40 bytes of payload without pointers is a line, from its first byte to its last.
func TestNoSlotOfALineStandsInTwo(t *testing.T) {
	p := newCacheFixture(0)
	for _, at := range []unsafe.Pointer{p.slots.chunks[0], unsafe.Pointer(p.slots.at(7)), unsafe.Pointer(&p.ring.slots[0])} {
		if uintptr(at)%lineSize != 0 {
			t.Errorf("%p is in the middle of a line", at)
		}
	}
	if p.slots.stride != lineSize {
		t.Errorf("slots are %d bytes apart", p.slots.stride)
	}
}
