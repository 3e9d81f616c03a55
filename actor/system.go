package actor

import (
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// System carries out commands about actors whose messages are of type M, one after the
// other, in the order in which they were given. The goroutine that owns its scheduler
// owns it.
//
// Invariants, checked by the property test after every turn:
//   - busy exactly while Turn is on the stack;
//   - every actor but the root has a parent that is alive, or waits for its OpSpawn;
//   - Sent = Delivered + Dead + Rejected + Pending.
type System[M any] struct {
	queue        queue[entry[M]]
	mores        queue[more[M]] // of the commands in the queue
	outputs      queue[M]
	actors       table[M]
	hookCalls    queue[hookCall[M]]
	restarts     uint64       // decided so far
	failedStarts int          // restarts in this turn of actors that had failed at once
	delayed      []restart[M] // in the order of their instants
	acting       Handle       // whose code runs; cheaper to write than a pointer
	inHook       hookCall[M]  // whose code runs, if it is no actor's
	fuel         int
	busy         bool
	ended        bool
	fibers       map[fiber.ID]*Context[M] // of asynchronous actors, those that are being unwound included
	stats        Stats
	root         Handle
	reason       error
	outside      Context[M]
	opts         Options[M]
	rooms        []*room[M] // where senders wait
	middleware   []*installed[M]
	seen         Command[M]  // lent to a middleware
	journal      *journal[M] // nil: none is kept
	foreign      bool        // within a turn, code runs that a replay does not run
	random       *rand.Rand
	watchful     bool // hookCalls wait, or a middleware wants to see every command
	core         *scheduler.Core
	drive        driver
}

// New makes a system with one actor, the root, to be spawned by the first turn. The
// scheduler is where time comes from and asynchronous actors run; m runs their fibers,
// and may be nil if there are none. Errors: root has both New and Start, or neither.
func New[M, T any](sched *scheduler.Scheduler[T], m scheduler.Machine[T], root Spec[M], o Options[M]) (*System[M], error) {
	given("New", sched != nil, "the scheduler of the fibers")
	s := &System[M]{opts: o.withDefaults(), core: &sched.Core, fibers: map[fiber.ID]*Context[M]{}, drive: driverOf(sched, m)}
	s.queue.most = s.opts.MaxQueue
	s.random = rand.New(rand.NewPCG(s.opts.Seed, 0))
	s.outside.sys = s
	if _, err := s.outside.Spawn(root); err != nil {
		return nil, err
	}
	return s, nil
}

// Input is the input handle: the root actor.
func (s *System[M]) Input() Handle { return s.root }

// Dispatch sends a message to the root, from outside. Errors as Context.Send's. From
// another goroutine, post it: core.Inbox().Do(func() { _ = system.Dispatch(msg) }).
func (s *System[M]) Dispatch(msg M) error { return s.outside.Send(s.root, msg) }

// Outside is the outside world as a giver of commands, Handle Outside; the actors it
// spawns are children of the root.
func (s *System[M]) Outside() *Context[M] { return &s.outside }

// Live is how many actors there are, those among them whose OpSpawn waits.
func (s *System[M]) Live() int { return s.actors.live }

// Alive tells whether the handle names an actor that handles messages now.
func (s *System[M]) Alive(h Handle) bool {
	a := s.actors.find(h)
	return a != nil && a.life == alive
}

// Stats counts the messages so far.
func (s *System[M]) Stats() Stats { return s.stats }

// Pending is how many messages wait to be handled. It counts them: for reports and tests.
func (s *System[M]) Pending() (n int) {
	for e := range s.queue.all() {
		if e.op.isMessage() {
			n++
		}
	}
	return n
}

// Now is the instant of the turn: that of the scheduler, or of the journal in a replay.
func (s *System[M]) Now() fiber.Time {
	if s.isPlayed() {
		return s.journal.player.at
	}
	return s.core.Now()
}

// Random is a generator for handlers and hooks, seeded by Options.Seed: what it gives is part
// of the run, and a replay gives the same. Asynchronous actors use their scheduler's.
func (s *System[M]) Random() *rand.Rand { return s.random }

// Ended reports whether the last actor is gone, all their fibers have unwound, all watchers are
// notified, and every output is read.
func (s *System[M]) Ended() bool {
	return s.ended && len(s.fibers) == 0 && !s.hasWork() && s.outputs.len() == 0
}

// append puts a command other than a message at the end of the queue, whatever the phase.
func (s *System[M]) append(op Op, from, to Handle, m more[M]) {
	s.queue.push(entry[M]{op: op, from: from, to: to})
	s.mores.push(m)
}

// take takes the oldest command out of the queue.
func (s *System[M]) take() taken[M] {
	c := taken[M]{entry: s.queue.pop()}
	if !c.op.isMessage() {
		c.more = s.mores.pop()
	}
	return c
}

// putBack undoes take.
func (s *System[M]) putBack(c *taken[M]) {
	s.queue.unpop(c.entry)
	if !c.op.isMessage() {
		s.mores.unpop(c.more)
	}
}
