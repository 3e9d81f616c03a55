package mutex

import "github.com/selvage-dev/selvage/spec/graph"

// Status is how far a fiber is with a wait.
type Status uint8

const (
	// Dead: there is no such fiber now.
	Dead Status = iota
	// Ready: it waits for nothing and may call what it likes.
	Ready
	// Waits: it has armed a wait for the lock or is blocked on it.
	Waits
	// Woken: its wait has ended, and it has not claimed how.
	Woken
)

// Code is how a wait ended.
type Code uint8

const (
	// Pending: it has not.
	Pending Code = iota
	// OK: the lock was handed over.
	OK
	// Failed: the lock was poisoned.
	Failed
	// Quit: not by the mutex, but by a deadline or a cancel.
	Quit
)

// Fiber is what the model knows of a fiber.
type Fiber struct {
	Status Status
	// Number is that of its ticket, until it has claimed how the wait ended.
	Number uint8
	Code   Code
	// Chosen: by a signal, and it has not run since.
	Chosen bool
}

const (
	// NoFiber means no fiber.
	NoFiber = 255
	// NoNumber is no ticket.
	NoNumber = 255
)

// Waiter stands in the line.
type Waiter struct{ Fiber, Number uint8 }

// State is one state of the whole machine: two states are the same iff they are ==.
type State struct {
	Fibers [MaxFibers]Fiber
	// Owner has the lock, or NoFiber. Granted is the ticket by which it got it, until it
	// has claimed.
	Owner, Granted uint8
	// Poisoned: an owner died, and what the lock guards has not been repaired.
	Poisoned bool

	// Line is the fibers that wait for the lock, Sleepers those that wait for a signal, both in
	// order of arrival.
	Line, Sleepers graph.List[Waiter]
}

// AppendKey appends the text of a state, exactly as mutex.pml built with -DLTS prints it: for every fiber its status (drwe: dead, ready,
// waits, its wait has ended), ticket number and code; the owner, its ticket and whether
// the lock is poisoned; the line; with a condition, the fibers that wait for a signal, and for every
// fiber whether a signal chose it.
func (c Config) AppendKey(dst []byte, s *State) []byte {
	for i := range c.Fibers {
		f := &s.Fibers[i]
		dst = append(dst, "drwe"[f.Status], graph.Digit(f.Number), graph.Digit(uint8(f.Code)), ' ')
	}
	health := byte('.')
	if s.Poisoned {
		health = 'p'
	}
	dst = append(dst, graph.Digit(s.Owner), graph.Digit(s.Granted), health, ' ')
	dst = appendWaiters(dst, &s.Line)
	if !c.Cond {
		return dst
	}
	dst = append(appendWaiters(append(dst, ' '), &s.Sleepers), ' ')
	for i := range c.Fibers {
		dst = append(dst, graph.Bit(s.Fibers[i].Chosen))
	}
	return dst
}

func appendWaiters(dst []byte, l *graph.List[Waiter]) []byte {
	for _, w := range l.All() {
		dst = append(dst, graph.Digit(w.Fiber), graph.Digit(w.Number), ',')
	}
	return dst
}
