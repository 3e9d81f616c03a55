package scheduler

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Inbox is how other goroutines reach a scheduler: they post commands, and the owner carries
// them out in order of arrival at its next poll. What a sender did before posting
// happens-before its command. All methods are safe for concurrent use and never block. They
// return ErrStopped after the scheduler is closed, and ErrInboxFull while
// Config.MaxCommands commands wait; then nothing was posted. nil means that the command will be
// carried out if the owner goes on polling, and not that it had an effect.
//
// A post costs a lock that is held for a few stores, and a channel send if the owner sleeps. It
// allocates only to grow: queue and batch change places at each poll.
type Inbox struct {
	wakeCh  chan struct{}         // signaled when something arrives and the owner sleeps
	asleep  atomic.Bool           // the owner sleeps, or is about to
	waiting atomic.Bool           // the queue is not empty
	woken   atomic.Pointer[Waker] // those that have been used, the last one first
	senders atomic.Int64
	opened  atomic.Uint64 // calls of NewSender

	// mu guards queue and closed. The owner takes it once for each batch of commands.
	mu     sync.Mutex
	queue  []command
	limit  int // of the queue
	closed bool

	// The owner's: what it has taken from the queue, and how much of that it has begun. A command
	// counts as begun before it is carried out, so one that panics is not repeated.
	batch []command
	begun int
}

// command is a transition asked for from outside. op says which of the other fields are used; any
// op that has no field of its own calls do.
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

func newInbox(limit int) *Inbox { return &Inbox{wakeCh: make(chan struct{}, 1), limit: limit} }

// Inbox is the scheduler's inbox for other goroutines.
func (c *Core) Inbox() *Inbox { return c.inbox }

// Deliver posts Core.Deliver. Whether the ticket is still current is decided when the owner
// carries the command out, so a late ticket is no error here. A Code other than OK, Closed and
// Failed becomes Failed: what comes from another goroutine must not break the owner's contract.
func (b *Inbox) Deliver(t fiber.Ticket, r fiber.Result) error {
	if r.Code < fiber.OK || r.Code > fiber.Failed {
		r = fiber.Result{Code: fiber.Failed}
	}
	return b.post(command{op: op.Deliver, ticket: t, result: r})
}

// Complete posts Ops.Complete. Any token is accepted; one that has ended is counted by the owner. If
// the post is refused, done belongs to the caller still: Config.Dropped is not called.
func (b *Inbox) Complete(tok fiber.Token, done ioqueue.Completion) error {
	return b.post(command{op: op.Complete, token: tok, done: done})
}

// Cancel posts Core.Cancel; a fiber that has ended by then is ignored.
func (b *Inbox) Cancel(id fiber.ID, cause error) error {
	return b.post(command{op: op.Cancel, id: id, cause: cause})
}

// Kill posts Core.Kill; a fiber that has ended by then is ignored.
func (b *Inbox) Kill(id fiber.ID, cause error) error {
	return b.post(command{op: op.Kill, id: id, cause: cause})
}

// Do has the owner call f, between slices: f may use the scheduler and must not block. A panic of f
// passes on through the owner's Poll; the commands behind it stay and are carried out by the next.
func (b *Inbox) Do(f func()) error {
	if f == nil {
		panic(missing(op.Poll, "Inbox.Do has no function: pass what the owner is to call"))
	}
	return b.post(command{op: op.Poll, do: f})
}

// Notify has the owner poll, and so serve its devices, even if it sleeps. It is for a Device
// that receives input from other goroutines in its own way. The device stores the input before it
// calls Notify. Several calls before one poll count as one.
func (b *Inbox) Notify() {
	b.waiting.Store(true)
	b.signal()
}

// Waiting reports whether something has come that the owner has not begun to carry out, for
// code that checks whether several schedulers can still continue. What an ExternalSource
// receives in its own way (Ready) is not included.
func (b *Inbox) Waiting() bool { return b.waiting.Load() || b.woken.Load() != nil }

// Queued is how many commands wait that the owner has not taken, and how many may (Config.MaxCommands). It takes
// the lock of a post for two loads.
func (b *Inbox) Queued() (n, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue), b.limit
}

func (b *Inbox) post(cmd command) error { return b.add(cmd, b.limit) }

// add queues a command, unless limit commands are queued. It sets waiting when the command is in
// the queue, and the owner clears it before it takes the queue. So a command that is queued has
// the flag set, or is about to be taken (I9).

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
	b.signal()
	return nil
}

// signal wakes the owner if it sleeps. The caller has already queued what the owner is to
// find: see Steps.sleep for why no wake-up is lost. An owner that runs polls anyway, so a sender
// that finds it awake pays one load.
func (b *Inbox) signal() {
	if !b.asleep.Load() {
		return
	}
	select {
	case b.wakeCh <- struct{}{}:
	default: // a signal is already in the channel
	}
}

// pending tells the owner whether there is something to carry out, the rest of a batch included.
// It takes no lock.
func (b *Inbox) pending() bool {
	return b.Waiting() || b.begun < len(b.batch)
}

// hasSenders reports whether a Sender is open. A sender posts its command before it closes, so an
// owner that finds none open looks at the queue once more before it gives a verdict.
func (b *Inbox) hasSenders() bool { return b.senders.Load() > 0 }

// drain carries out what has been posted. The owner calls it, and a command may: then the
// rest of the batch comes before what was posted since. The same holds for the rest of a
// batch that a panicking command has left (I9).
func (b *Inbox) drain(c *Core) {
	b.finish(c)
	c.collectWakers()
	if b.waiting.Load() {
		b.take()
		b.finish(c)
	}
}

// take makes the queue the batch, which is finished, and its memory the next queue. It clears the
// flag first: a command posted in between sets it again, and costs at most one poll that finds
// nothing. In the other order the flag of such a command would be lost with it (I9).
func (b *Inbox) take() {
	b.waiting.Store(false)
	b.mu.Lock()
	b.queue, b.batch = b.batch[:0], b.queue
	b.mu.Unlock()
	b.begun = 0
}

// finish carries out the rest of the batch, and clears each entry for the garbage collector. A
// command may run this function again, within a pump that polls: then both continue where the
// other stopped, because begun is a field.
func (b *Inbox) finish(c *Core) {
	for b.begun < len(b.batch) {
		cmd := b.batch[b.begun]
		b.batch[b.begun] = command{}
		b.begun++
		c.carryOut(&cmd)
	}
}

// carryOut carries out a command as an operation of the owner. Its answer has no reader: the sender
// knew the fiber by ID or ticket only, and that it ended meanwhile is a race and no mistake.
func (c *Core) carryOut(cmd *command) {
	switch cmd.op {
	case op.Deliver:
		c.Deliver(cmd.ticket, cmd.result)
	case op.Complete:
		c.Ops().Complete(cmd.token, cmd.done)
	case op.Cancel:
		_ = c.Cancel(cmd.id, cmd.cause) // it may have ended meanwhile
	case op.Kill:
		_ = c.Kill(cmd.id, cmd.cause)
	default:
		cmd.do()
	}
}

// close refuses further commands. It sets the flag, so that the next drain takes the queue
// whatever it holds; after that the queue stays empty.
func (b *Inbox) close() {
	b.mu.Lock()
	b.closed = true
	b.waiting.Store(true)
	b.mu.Unlock()
}

// Sender says that a wake-up may come from outside: while one is open, blocked fibers are
// Waiting, not in Deadlock, and an idle run with no fiber left does not end. Close it when nothing
// more will be sent; one that is never closed hides every deadlock. It is safe for concurrent use.
type Sender struct {
	inbox *Inbox
	once  sync.Once
}

// NewSender opens a Sender. Open it before the owner can be idle: a verdict that was given before
// does not change.
func (b *Inbox) NewSender() *Sender {
	b.opened.Add(1)
	b.senders.Add(1)
	return &Sender{inbox: b}
}

// SendersOpened counts the calls of NewSender so far. A verdict says whether a Sender is open now;
// the count says whether one was opened between two verdicts. It is safe for concurrent use.
func (b *Inbox) SendersOpened() uint64 { return b.opened.Load() }

// Close closes the sender and wakes the owner, whose verdict may have changed. A verdict that no
// longer counts the sender has seen every command that was posted before Close. A second call
// does nothing.
func (s *Sender) Close() {
	s.once.Do(func() {
		s.inbox.senders.Add(-1)
		s.inbox.Notify()
	})
}
