package reactor_test

import (
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// observed is what the transitions of a run say of each fiber, and what the operations of the test say of its
// waits. It belongs to the owner of the scheduler.
type observed struct {
	fibers map[fiber.ID]*life
	tokens map[fiber.Token]fiber.ID
	holder map[string]fiber.ID   // by lock
	line   map[string][]fiber.ID // that wait for the lock, in the order of their arrival
}

// life is one fiber.
type life struct {
	state  fiber.State
	lent   bool
	reason fiber.Reason // of its last wait
	on     string       // what it waits on, if that is an object
}

func newObserved() *observed {
	return &observed{map[fiber.ID]*life{}, map[fiber.Token]fiber.ID{}, map[string]fiber.ID{}, map[string][]fiber.ID{}}
}

// observe is the scheduler's observer.
func (o *observed) observe(t scheduler.Transition) {
	id := t.ID
	if t.Op == op.Complete {
		id = o.tokens[t.Token]
	}
	f := o.fibers[id]
	switch t.Op {
	case op.Spawn:
		o.fibers[id] = &life{state: fiber.Runnable}
	case op.Next:
		f.state = fiber.Running
	case op.Yield:
		f.state = fiber.Runnable
	case op.Arm:
		f.reason, f.on = t.Reason, ""
		if t.Reason.Kind == fiber.IO {
			o.tokens[t.Reason.Token] = id
		}
	case op.Block:
		f.state = fiber.Runnable
		if t.Answer == scheduler.Parked.String() {
			f.state = fiber.Blocked
		}
	case op.Deliver, op.Complete:
		if t.Answer == fiber.Woken.String() {
			f.state = fiber.Runnable
		}
	case op.Expire, op.Wake:
		f.state = fiber.Runnable
	case op.Lend:
		f.lent = t.Answer == "lent"
	case op.Kill: // as any other it would unwind, and die later
		if f != nil && f.state == fiber.Blocked {
			o.ends(id)
		}
	case op.Exit, op.Reap:
		o.ends(id)
	}
}

// ends forgets a fiber. It waits for no lock any more.
func (o *observed) ends(id fiber.ID) {
	delete(o.fibers, id)
	for name, line := range o.line {
		o.line[name] = slices.DeleteFunc(line, func(other fiber.ID) bool { return other == id })
	}
}

// lock takes a lock, or waits for it.
type lock struct {
	of  *observed
	its *wait.Mutex
}

func (l lock) Begin(s *sched, _ *payload) {
	name, id := l.its.Name(), s.Current()
	if ok, err := l.its.TryLock(id); ok || err != nil {
		l.of.holder[name] = id
		return
	}
	t := s.ArmOn(l.its.Source())
	if err := l.its.ParkLock(t, id); err != nil {
		panic(err)
	}
	l.of.fibers[id].on = fmt.Sprintf("mutex %q", name)
	l.of.line[name] = append(l.of.line[name], id)
}

func (l lock) End(_ *sched, _ *payload, t fiber.Ticket, _ fiber.Result) { l.its.Collect(t) }

// unlock gives the lock to the fiber that has waited longest.
func (l lock) unlock(s *sched) {
	name := l.its.Name()
	w, err := l.its.Unlock(s.Current())
	if err != nil {
		panic(err)
	}
	delete(l.of.holder, name)
	if line := l.of.line[name]; len(line) > 0 {
		l.of.holder[name], l.of.line[name] = line[0], line[1:]
	}
	s.Apply(w)
}

// named is an operation on a channel; if it waits, the channel is what its fiber waits on.
type named struct {
	reactor.Await[payload]
	of *observed
	on string
}

func (n named) Begin(s *sched, p *payload) {
	n.Await.Begin(s, p)
	if s.Inspect().Armed() {
		n.of.fibers[s.Current()].on = n.on
	}
}
