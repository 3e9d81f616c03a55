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
	// Nobody is no fiber.
	Nobody = 255
	// NoNumber is no ticket.
	NoNumber = 255
)

// Waiter stands in the line.
type Waiter struct{ Fiber, Number uint8 }

// State is one state of the whole machine: two states are the same iff they are ==.
type State struct {
	Fibers [MaxFibers]Fiber
	// Owner has the lock, or Nobody. Granted is the ticket by which it got it, until it
	// has claimed.
	Owner, Granted uint8
	// Poisoned: an owner died, and nobody has vouched for what the lock guards.
	Poisoned bool

	// There is room for two waiters too many, so that a wrong machine can be seen.
	line    [MaxFibers + 2]Waiter
	waiting uint8
	// Who waits for a signal, likewise.
	hall     [MaxFibers + 2]Waiter
	sleeping uint8
}

// Line is who waits, in order of arrival. It shares memory with s.
func (s *State) Line() []Waiter { return s.line[:s.waiting] }

func (s *State) join(w Waiter) {
	s.line[s.waiting] = w
	s.waiting++
}

// Hall is who waits for a signal, in order of arrival. It shares memory with s.
func (s *State) Hall() []Waiter { return s.hall[:s.sleeping] }

func (s *State) sleep(w Waiter) {
	s.hall[s.sleeping] = w
	s.sleeping++
}

// rise takes the i-th out of the hall.
func (s *State) rise(i int) Waiter {
	w := s.hall[i]
	copy(s.hall[i:], s.hall[i+1:s.sleeping])
	s.sleeping--
	s.hall[s.sleeping] = Waiter{}
	return w
}

// leave takes the i-th out of the line.
func (s *State) leave(i int) Waiter {
	w := s.line[i]
	copy(s.line[i:], s.line[i+1:s.waiting])
	s.waiting--
	s.line[s.waiting] = Waiter{}
	return w
}

// place is where the ticket stands in the line, -1 if nowhere.
func (s *State) place(w Waiter) int {
	for i, other := range s.Line() {
		if other == w {
			return i
		}
	}
	return -1
}

// Key is the text of a state, exactly as mutex.pml built with -DLTS prints it.
func (c Config) Key(s *State) string { return string(c.AppendKey(nil, s)) }

// AppendKey appends the Key of s to dst: for every fiber its status (drwe: dead, ready,
// waits, its wait has ended), ticket number and code; the owner, its ticket and whether
// the lock is poisoned; the line; with a condition, who waits for a signal, and for every
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
	for _, w := range s.Line() {
		dst = append(dst, graph.Digit(w.Fiber), graph.Digit(w.Number), ',')
	}
	if c.Cond {
		dst = c.appendHall(append(dst, ' '), s)
	}
	return dst
}

func (c Config) appendHall(dst []byte, s *State) []byte {
	for _, w := range s.Hall() {
		dst = append(dst, graph.Digit(w.Fiber), graph.Digit(w.Number), ',')
	}
	dst = append(dst, ' ')
	for i := range c.Fibers {
		if s.Fibers[i].Chosen {
			dst = append(dst, '1')
		} else {
			dst = append(dst, '0')
		}
	}
	return dst
}
