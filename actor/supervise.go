package actor

import (
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// Strategy says what a parent does about the failure of a child.
type Strategy uint8

const (
	// Isolate: nothing; the child's watchers are notified.
	Isolate Strategy = iota
	// OneForOne: the child is restarted.
	OneForOne
	// AllForOne: all children are restarted, because each needs the others as they were.
	AllForOne
)

// The defaults of zero fields of Supervision.
const (
	defaultMaxRestarts = 5
	defaultWithin      = 10 * time.Second
)

// Supervision is what a parent does for its children; the zero Supervision isolates.
//
// A restart keeps the handle, and the messages in the queue: the new life handles those that come
// after it in the queue. The children of the old life are killed, and its links end. An actor that
// was killed, or returned, is not restarted.
type Supervision struct {
	Strategy Strategy
	// MaxRestarts is the number of restarts of children within the time Within (defaults: 5
	// restarts, 10 seconds). After one more failure, the parent itself fails with
	// ErrTooManyRestarts.
	MaxRestarts int
	Within      time.Duration
	// Backoff is how long a child stays down, on the scheduler's clock; messages to it are dead
	// letters meanwhile (ErrDown). It doubles with each restart within the time Within, up to
	// MaxBackoff if that is not 0. With 0 the child is restarted before the next command, or in
	// the next turn if Options.Fuel restarts of this turn have failed in New or Start.
	Backoff, MaxBackoff time.Duration
}

func (s *Supervision) limits() (restarts int, within time.Duration) {
	restarts, within = s.MaxRestarts, s.Within
	if restarts <= 0 {
		restarts = defaultMaxRestarts
	}
	if within <= 0 {
		within = defaultWithin
	}
	return restarts, within
}

// delay is the time before the nth restart within the time Within.
func (s *Supervision) delay(n int) time.Duration {
	d := s.Backoff
	if d <= 0 {
		return 0
	}
	for range n - 1 {
		if d > time.Duration(fiber.Never)/2 || s.MaxBackoff > 0 && d >= s.MaxBackoff {
			break
		}
		d *= 2
	}
	if s.MaxBackoff > 0 {
		d = min(d, s.MaxBackoff)
	}
	return d
}

// fail ends the present life of an actor as a failure; its supervisor decides what follows. A
// supervisor whose limit of restarts is reached fails itself, and so on up to the root.
func (s *System[M]) fail(a *actor[M], cause error) {
	for {
		d := Death{Actor: a.self, Name: a.spec.Name, Failed: true, Cause: cause}
		p := a.parent
		if p == nil || p.spec.Supervise.Strategy == Isolate {
			s.end(a, d)
			return
		}
		if p.countFailure(s.Now()) {
			s.replace(a, d)
			return
		}
		s.end(a, d)
		a, cause = p, fmt.Errorf("%w after %d restarts: %w", ErrTooManyRestarts, len(p.failures), d.Err())
	}
}

// countFailure notes the failure of a child, and tells whether it may be restarted.
func (a *actor[M]) countFailure(now fiber.Time) bool {
	most, within := a.spec.Supervise.limits()
	for len(a.failures) > 0 && a.failures[0].After(within) <= now {
		a.failures = a.failures[1:]
	}
	if len(a.failures) >= most {
		return false
	}
	a.failures = append(a.failures, now)
	return true
}

// replace ends the life of the failed actor and, with AllForOne, of its siblings, the youngest
// first; then they are restarted, the oldest first.
func (s *System[M]) replace(a *actor[M], d Death) {
	p := a.parent
	delay := p.spec.Supervise.delay(len(p.failures))
	if p.spec.Supervise.Strategy == OneForOne {
		s.takeDown(a, d)
		s.restartAfter(a, delay)
		return
	}
	var oldest *actor[M]
	for c := p.youngest; c != nil; c = c.older {
		if c == a {
			s.takeDown(c, d)
		} else if c.life == alive {
			s.takeDown(c, Death{Cause: errSibling})
		}
		oldest = c
	}
	for c := oldest; c != nil; c = c.younger {
		s.restartAfter(c, delay)
	}
}

// takeDown ends the present life of an actor that is to be restarted, its children first.
func (s *System[M]) takeDown(a *actor[M], d Death) {
	s.endChildren(a)
	d.Actor, d.Name, d.Restarts = a.self, a.spec.Name, true
	s.endLife(a, d.Cause)
	a.life = down
	s.tellOf(a, d)
}
