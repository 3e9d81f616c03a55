package scheduler

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Inbox is how other goroutines reach a scheduler: they post commands, the owner
// carries them out in the order of their arrival at its next poll. All its methods
// are safe for concurrent use and never block; after the scheduler is closed they
// return ErrStopped, and ErrInboxFull while Config.MaxCommands commands wait.
type Inbox struct {
	bell    chan struct{}         // rung when something arrives and the owner sleeps
	asleep  atomic.Bool           // the owner has gone to sleep, or is about to
	waiting atomic.Bool           // the queue is not empty
	woken   atomic.Pointer[Waker] // those that have been used, the last one first
	senders atomic.Int64

	mu     sync.Mutex
	queue  []command
	limit  int // of the queue
	closed bool

	// The owner's: what it has taken from the queue, and how much of that it has begun.
	batch []command
	begun int
}

// command is a transition asked for from outside.
type command struct {
	op     Op
	id     fiber.ID
	ticket fiber.Ticket
	result fiber.Result
	token  fiber.Token
	done   ioqueue.Completion
	cause  error
	do     func()
}

func newInbox(limit int) *Inbox { return &Inbox{bell: make(chan struct{}, 1), limit: limit} }

// Inbox is the scheduler's door for other goroutines.
func (c *Core) Inbox() *Inbox { return c.inbox }

// Deliver posts Core.Deliver. Whether the ticket still wins is decided on arrival.
func (b *Inbox) Deliver(t fiber.Ticket, r fiber.Result) error {
	if r.Code < fiber.OK || r.Code > fiber.Failed {
		r = fiber.Result{Code: fiber.Failed}
	}
	return b.post(command{op: OpDeliver, ticket: t, result: r})
}

// Complete posts Core.Complete.
func (b *Inbox) Complete(tok fiber.Token, done ioqueue.Completion) error {
	return b.post(command{op: OpComplete, token: tok, done: done})
}

// Cancel posts Core.Cancel; a fiber that is gone by then is nothing to it.
func (b *Inbox) Cancel(id fiber.ID, cause error) error {
	return b.post(command{op: OpCancel, id: id, cause: cause})
}

// Kill posts Core.Kill; a fiber that is gone by then is nothing to it.
func (b *Inbox) Kill(id fiber.ID, cause error) error {
	return b.post(command{op: OpKill, id: id, cause: cause})
}

// Do has f called by the owner, between slices: it may use the scheduler.
func (b *Inbox) Do(f func()) error { return b.post(command{op: OpPoll, do: f}) }

// Rouse has the owner poll, and so serve its devices: what a Device is told by other
// goroutines in its own way is looked at soon, even if the owner sleeps.
func (b *Inbox) Notify() {
	b.waiting.Store(true)
	b.rouse()
}

// Waiting tells whether something has come that the owner has not begun to look at. It is
// for whoever asks whether anything at all can still happen in several schedulers. What a
// ExternalSource is told in a way of its own (Came) is not here.
func (b *Inbox) Waiting() bool { return b.waiting.Load() || b.woken.Load() != nil }

func (b *Inbox) post(cmd command) error { return b.add(cmd, b.limit) }

func (b *Inbox) add(cmd command, limit int) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return ErrStopped
	}
	if len(b.queue) >= limit {
		b.mu.Unlock()
		return fmt.Errorf("%w (%d commands)", ErrInboxFull, limit)
	}
	b.queue = append(b.queue, cmd)
	b.waiting.Store(true)
	b.mu.Unlock()
	b.rouse()
	return nil
}

// rouse wakes the owner, if it sleeps. What it is to find has been put there before: the
// owner says that it goes to sleep and then looks once more, so one of the two sees the
// other (DESIGN §6: wake lost between try and register).
func (b *Inbox) rouse() {
	if !b.asleep.Load() {
		return
	}
	select {
	case b.bell <- struct{}{}:
	default: // it has rung and not been heard yet
	}
}

// pending tells the owner whether there is something to carry out.
func (b *Inbox) pending() bool {
	return b.Waiting() || b.begun < len(b.batch)
}

func (b *Inbox) held() bool { return b.senders.Load() > 0 }

// drain carries out what has been posted. The owner calls it; so may a command, and then
// the rest of the batch comes before what was posted since. What a command that panicked
// has left behind comes first too (I9).
func (b *Inbox) drain(c *Core) {
	b.finish(c)
	c.collectWakers()
	if b.waiting.Load() {
		b.take()
		b.finish(c)
	}
}

// take makes the queue the batch, which is finished. The flag goes down first: a command
// posted in between puts it up again.
func (b *Inbox) take() {
	b.waiting.Store(false)
	b.mu.Lock()
	b.queue, b.batch = b.batch[:0], b.queue
	b.mu.Unlock()
	b.begun = 0
}

// finish carries out the rest of the batch, and keeps nothing of it alive.
func (b *Inbox) finish(c *Core) {
	for b.begun < len(b.batch) {
		cmd := b.batch[b.begun]
		b.batch[b.begun] = command{}
		b.begun++
		c.carryOut(&cmd)
	}
}

func (c *Core) carryOut(cmd *command) {
	switch cmd.op {
	case OpDeliver:
		c.Deliver(cmd.ticket, cmd.result)
	case OpComplete:
		c.Complete(cmd.token, cmd.done)
	case OpCancel:
		_ = c.Cancel(cmd.id, cmd.cause) // it may have ended meanwhile: that is what was wanted
	case OpKill:
		_ = c.Kill(cmd.id, cmd.cause)
	default:
		cmd.do()
	}
}

// close refuses further commands. The last ones may have been queued by goroutines
// that have not said so yet: the next drain looks.
func (b *Inbox) close() {
	b.mu.Lock()
	b.closed = true
	b.waiting.Store(true)
	b.mu.Unlock()
}

// Sender is a promise that a wake may come from outside: while one is open, blocked
// fibers are Waiting, not in Deadlock. Close it when nothing more will be sent.
type Sender struct {
	inbox *Inbox
	once  sync.Once
}

// NewSender opens a Sender.
func (b *Inbox) NewSender() *Sender {
	b.senders.Add(1)
	return &Sender{inbox: b}
}

// Inbox is where the sender's commands go.
func (s *Sender) Inbox() *Inbox { return s.inbox }

// Close takes the promise back, and has the verdict looked at again.
func (s *Sender) Close() {
	s.once.Do(func() {
		s.inbox.senders.Add(-1)
		s.inbox.Notify()
	})
}
