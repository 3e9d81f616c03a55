package island

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// DefaultMailbox is how many commands may wait for an island.
const DefaultMailbox = 1024

// Program is what SpawnFiber starts, by its name: it spawns a fiber on the island's
// scheduler. The arguments come from anywhere and are not to be trusted, and are not the
// program's to keep. It runs on the owner's goroutine, between slices.
type Program func(args []byte) (fiber.RegularID, error)

// Config is what a scheduler joins as.
type Config struct {
	// Name is how others find it. Names are unique in a registry.
	Name string
	// Mailbox is how many commands may wait for it, rounded up to a power of two; then
	// senders are told ErrFull. 0 is DefaultMailbox.
	Mailbox int
	// Programs are what others may spawn here. An island that has some goes on when all its
	// fibers have ended, until it is shut down.
	Programs map[string]Program
	// Stay has the island go on when all its fibers have ended, as Programs do: others have
	// ways of their own to make some.
	Stay bool
	// Stop is called by the owner when a Shutdown has come. It must see to it that the
	// scheduler's loop ends. Nil is the scheduler's KillAll.
	Stop func(cause error)
	// ProbeAfter is how long the island sleeps, with nothing to hope for but other islands,
	// before it asks whether those it depends on wait for each other. 0 is
	// DefaultProbeAfter. Below 0 is never: it answers the others, and a deadlock that begins
	// when this island goes to sleep is found when one of them asks.
	ProbeAfter time.Duration
}

// Island is a scheduler among others. Its owner is the scheduler's; what other goroutines
// may call says so.
type Island struct {
	reg  *Registry
	core *scheduler.Core
	cfg  Config
	addr Address

	box  *mailbox
	mail bell
	news atomic.Pointer[bell] // bells that have rung, the last one first

	convicted atomic.Pointer[DeadlockError] // of those in it, all are before any is told

	// The owner's.
	ends     []end // of ports: what is told when the island leaves
	bridges  []*Bridge
	idle     []*request
	pending  int // requests not answered yet
	watched  []*bell
	parks    bool // its loop goes to sleep by Park
	stopping bool
	left     bool  // the registry: nothing reaches its fibers any more
	cause    error // of the shutdown
	counts   Counts
	probes   prober
	team     func() (mates []*Island, known bool) // who else could send fibers; nil: nobody
}

// Counts is what became of the commands that an island was sent.
type Counts struct {
	Done, Refused uint64
}

// end is one end of a port, as its island sees it.
type end interface {
	// awaited tells whether a fiber waits for what the other side does.
	awaited() bool
	// down: the island leaves; the other side is to be told.
	down()
	// upon appends the islands that could end the waits here. False: so could others.
	upon(dst []*Island) (all []*Island, known bool)
}

var _ scheduler.ExternalSource = (*Island)(nil)

func newIsland(r *Registry, core *scheduler.Core, cfg Config) *Island {
	if cfg.Mailbox <= 0 {
		cfg.Mailbox = DefaultMailbox
	}
	if cfg.ProbeAfter == 0 {
		cfg.ProbeAfter = DefaultProbeAfter
	}
	if cfg.Stop == nil {
		cfg.Stop = core.Steps().KillAll
	}
	i := &Island{reg: r, core: core, cfg: cfg, box: newMailbox(cfg.Mailbox)}
	i.mail.of, i.mail.serve = i, i.readMail
	i.probes.bell.of, i.probes.bell.serve = i, i.hearQuestions
	return i
}

// Name is Config.Name. Any goroutine may ask.
func (i *Island) Name() string { return i.cfg.Name }

// Address is this life's. Any goroutine may ask.
func (i *Island) Address() Address { return i.addr }

// Number is the scheduler's. Any goroutine may ask.
func (i *Island) Number() uint16 { return i.addr.Island }

// Registry is where it has joined. Any goroutine may ask.
func (i *Island) Registry() *Registry { return i.reg }

// Counts are the totals so far; the owner asks.
func (i *Island) Counts() Counts { return i.counts }

// TicketOf is the ticket as it may leave the process.
func (i *Island) TicketOf(t fiber.Ticket) Ticket { return Ticket{At: i.addr, Ticket: t} }

// send puts a letter into the mailbox, from any goroutine.
func (i *Island) send(l letter) error {
	switch err := i.box.put(l); err {
	case nil:
		i.mail.ring()
		return nil
	default:
		return &refusal{err, i.cfg.Name}
	}
}

// refusal is an error with the name of the island that it is about.
type refusal struct {
	err  error
	name string
}

func (e *refusal) Error() string { return e.err.Error() + " (" + e.name + ")" }
func (e *refusal) Unwrap() error { return e.err }

// Serve looks at everything that others have left here since. The scheduler calls it.
func (i *Island) Serve([]fiber.Token) {
	i.probes.tried = false
	for i.news.Load() != nil && !i.deadlocked() {
		i.readMail()
		i.serveNews()
	}
	if !i.deadlocked() {
		i.serveWatched()
	}
	if len(i.bridges) > 0 {
		i.serveBridges()
	}
	if i.probes.due || len(i.probes.later) > 0 {
		i.serveProbes()
	}
}

// deadlocked tells whether the island was found to be in deadlock. From then on nothing reaches its
// fibers any more: the deadlock is shown as it is.
func (i *Island) deadlocked() bool { return i.Deadlock() != nil }

// readMail is before other news, so that commands are carried out in the order of their
// arrival whatever their bell has been rung for.
func (i *Island) readMail() {
	for l, ok := i.box.take(); ok; l, ok = i.box.take() {
		i.read(&l)
	}
}

// read carries a letter out and answers it. Whatever comes of it, it is answered: nobody
// waits for ever.
func (i *Island) read(l *letter) {
	id, err := i.carryOut(&l.cmd)
	if err != nil {
		i.counts.Refused++
	} else {
		i.counts.Done++
	}
	if l.reply != nil {
		l.reply.reply(id, err)
	}
}

// stop has the scheduler's loop end. The first cause counts.
func (i *Island) stop(cause error) {
	if !i.stopping {
		i.stopping, i.cause = true, cause
		i.cfg.Stop(cause)
	}
}

// Awaited tells whether others may yet bring something: fibers to run, or what fibers wait
// for at ports.
func (i *Island) Pending() bool {
	if i.stopping || i.probes.blind || i.deadlocked() {
		return false
	}
	return i.serves() || i.portAwaited() || i.bridgeBusy()
}

// serves tells whether others may yet have fibers run here.
func (i *Island) serves() bool { return i.cfg.Stay || len(i.cfg.Programs) > 0 }

func (i *Island) portAwaited() bool {
	for _, e := range i.ends {
		if e.awaited() {
			return true
		}
	}
	return false
}

// Rest is when the island wants to be served at the latest.
func (i *Island) SleepUntil(until fiber.Time) fiber.Time {
	i.parks = true
	for _, b := range i.bridges {
		until = min(until, b.next())
	}
	return i.rest(until)
}

// Leave takes the island out of the registry: commands that wait here are refused, its
// ports and senders are closed and whoever waits at the other ends is told, each time with
// a *DownError. Its own fibers stay as they are. The owner calls it after its loop has ended,
// with what ended it; nobody else has to be alive for it.
func (i *Island) Leave(cause error) {
	if i.cause == nil {
		i.cause = cause
	}
	i.stopping, i.left = true, true
	i.probes.said.Store(nil)
	i.PrepareSleep()
	for left := i.box.close(); left > 0; {
		l, ok := i.box.take()
		if !ok {
			runtime.Gosched() // its producer is just writing it
			continue
		}
		left--
		if l.reply != nil {
			l.reply.reply(0, i.downError())
		}
	}
	for _, b := range i.bridges {
		b.leave(i.cause)
	}
	for len(i.ends) > 0 {
		e := i.ends[len(i.ends)-1]
		i.ends = i.ends[:len(i.ends)-1]
		e.down()
	}
	i.serveNews() // senders that the ports have not heard of are told too
	i.probes.close()
	i.reg.forget(i) // not before: who finds it in no list is to hope for nothing from it any more
}

func (i *Island) downError() error {
	return &DownError{Island: i.addr, Name: i.cfg.Name, Cause: i.cause}
}
