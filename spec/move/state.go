package move

import (
	"github.com/selvage-dev/selvage/spec/graph"
)

// Status is what a fiber does.
type Status uint8

const (
	// Gone: there is no such fiber, and no report of its end is due.
	Gone Status = iota
	// Ready: in the ready queue of the scheduler that it lives in.
	Ready
	// Runs: it is the current fiber there.
	Runs
	// Waits: it is blocked, until a holder of its ticket wakes it.
	Waits
	// Joins: it is blocked, for the end of another fiber.
	Joins
	// Adrift: it has moved out, and is not brought in yet.
	Adrift
	// Over: it has ended away from home, which is yet to hear of it.
	Over
)

// Hand tells whether the ticket of a slot is in circulation.
type Hand uint8

const (
	// NotHeld: it is not held.
	NotHeld Hand = iota
	// Held: it is held, and was armed by the fiber that lives in the slot now.
	Held
	// HeldOld: it is held, and the fiber that armed it lives there no more.
	HeldOld
)

// None is no fiber, no slot, no scheduler.
const None = 255

// Fiber is what the model knows of a fiber.
type Fiber struct {
	Status Status
	// At is the slot that it lives in, Home the scheduler that it was spawned in, Goal the
	// fiber whose end it waits for; each None if there is none.
	At, Home, Goal uint8
	// Kept: its home keeps its join cell while it is away.
	Kept bool
	// Told: it was notified of the end that it waited for, and has not run since.
	Told bool
}

var notSpawned = Fiber{At: None, Home: None, Goal: None}

func (f *Fiber) lives() bool { return Ready <= f.Status && f.Status <= Joins }

// Slot is a place that a fiber can live in.
type Slot struct {
	Who  uint8
	Hand Hand
}

// Scheduler is what the model knows of one of the two.
type Scheduler struct {
	// Current is who runs, or None.
	Current uint8
	// Live is what it has counted: spawned and moved in, less dead and moved out.
	Live uint8

	ready, inbox graph.List[uint8]
}

// Ready is the ready queue, its head first. It shares memory with s.
func (s *Scheduler) Ready() []uint8 { return s.ready.All() }

// Inbox is the fibers that have ended elsewhere, the first one first. It shares memory with s.
func (s *Scheduler) Inbox() []uint8 { return s.inbox.All() }

// State is one state of the whole machine: two states are the same iff they are ==.
type State struct {
	Fibers [MaxFibers]Fiber
	// Slots is those of both schedulers, Config.Slots of each.
	Slots      [Schedulers * MaxSlots]Slot
	Schedulers [Schedulers]Scheduler
}

// Where is the scheduler that a fiber lives in, or None.
func (c Config) Where(s *State, fiber uint8) uint8 {
	if at := s.Fibers[fiber].At; at != None {
		return c.of(at)
	}
	return None
}

// of is the scheduler that a slot is of.
func (c Config) of(slot uint8) uint8 { return slot / uint8(c.Slots) }

// room is the first free slot of a scheduler, or None.
func (c Config) room(s *State, scheduler uint8) uint8 {
	for i := range uint8(c.Slots) {
		if x := scheduler*uint8(c.Slots) + i; s.Slots[x].Who == None {
			return x
		}
	}
	return None
}

// AppendKey appends the text of a state, exactly as move.pml built with -DLTS prints it: for every fiber its status (gerwjao: gone, ready,
// runs, waits, joins, adrift, over), slot, home, goal, whether it is kept and whether it was
// told; for every slot its fiber and its ticket; for both schedulers the ready queue, ">", who runs, "<"
// and the inbox.
func (c Config) AppendKey(dst []byte, s *State) []byte {
	for i := range c.Fibers {
		f := &s.Fibers[i]
		dst = append(dst, "gerwjao"[f.Status], graph.Digit(f.At), graph.Digit(f.Home), graph.Digit(f.Goal), graph.Bit(f.Kept), graph.Bit(f.Told), ' ')
	}
	for x := range Schedulers * c.Slots {
		dst = append(dst, graph.Digit(s.Slots[x].Who), graph.Digit(uint8(s.Slots[x].Hand)))
	}
	for g := range s.Schedulers {
		at := &s.Schedulers[g]
		dst = appendLine(append(dst, ' '), &at.ready)
		dst = appendLine(append(dst, '>', graph.Digit(at.Current), '<'), &at.inbox)
	}
	return dst
}

func appendLine(dst []byte, l *graph.List[uint8]) []byte {
	for _, f := range l.All() {
		dst = append(dst, graph.Digit(f))
	}
	return dst
}
