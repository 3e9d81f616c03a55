package island

import (
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/scheduler"
)

const (
	defaultMailbox    = 1024
	defaultProbeAfter = 100 * time.Millisecond
)

// Config is what a scheduler joins a registry with. Only Name is required.
type Config struct {
	// Name is how other islands find this one. Names are unique in a registry.
	Name string
	// Mailbox is how many commands may wait for the island, rounded up to a power of two; then
	// senders get ErrFull. 0 means 1024.
	Mailbox int
	// Programs are what a Spawn command may start here, by name. A program spawns a fiber on
	// the island's scheduler, between slices. Its arguments are untrusted, and it must not keep
	// them. An island with programs goes on without fibers until it is shut down.
	Programs map[string]func(args []byte) (fiber.RegularID, error)
	// KeepAlive makes the island go on without fibers also if it has no Programs: others have
	// other ways to spawn fibers here.
	KeepAlive bool
	// Stop is called by the owner for a Shutdown command. It must make the scheduler's loop
	// end. nil means the scheduler's KillAll.
	Stop func(cause error)
	// Peers, if not nil, returns the islands that may move fibers here (scheduler.MoveIn). If
	// fibers may also come from elsewhere, known is false, and this island is in no deadlock.
	// The owner calls it. Without Peers, deadlock detection assumes that no fiber is moved here.
	Peers func() (peers []*Island, known bool)
	// ProbeAfter is how long the island sleeps, while only other islands can wake it, before it
	// starts a deadlock probe. 0 means 100 ms. Below 0 the island starts none; it answers the
	// probes of others, and then a deadlock is found only if one of them starts a probe.
	ProbeAfter time.Duration
}

// Island is a scheduler that has joined a registry. It belongs to the scheduler's owner; a
// method that other goroutines may call says so.
//
// Other goroutines never touch the scheduler (ONE-OWNER). They leave data, in the mailbox, in the
// ring of a link or in a request, raise the signal that belongs to it, and so have the owner serve
// the island's device, which looks at the data.
type Island struct {
	// Set before the island is in the registry, and never changed.
	reg  *Registry
	core *scheduler.Core
	cfg  Config
	addr Address

	// Written by any goroutine.
	mailbox *mailbox
	mail    signal // of the mailbox
	// raised is the list of raised signals, the last one first: other goroutines push, the owner
	// takes the whole list.
	raised atomic.Pointer[signal]
	// deadlock is stored at most once, under the registry's lock, by the owner of any island in
	// the deadlock. It does not count before it is published: read it by Deadlock.
	deadlock atomic.Pointer[DeadlockError]

	// Used only by the owner, except for the parts of prober that package probe lists.
	ends         []portEnd // ports and senders that are open
	bridges      []relay.Bridge
	freeRequests []*request // answered, to be used again
	polled       []*signal  // those whose polled flag is set, at most maxPolled
	// parks: the loop calls SleepUntil and PrepareSleep, so it says when it sleeps. Without that
	// no signal may be polled.
	parks bool
	// stopping: the island is going to end. It accepts no programs, ports and senders, but its
	// fibers still run, to unwind.
	stopping bool
	// left: it has ended. The scheduler may be closed, so whatever still arrives must not wake a
	// fiber. left implies stopping.
	left     bool
	cause    error // of the end; the first one counts
	executed uint64
	refused  uint64
	prober   prober
}

// portEnd is a port or a sender as its island sees it, whatever the element type.
type portEnd interface {
	// awaited tells whether a fiber here waits for something that another island does.
	awaited() bool
	// down closes the end because the island leaves. It wakes no fiber here, and the other
	// islands through their signals.
	down()
	// dependsOn appends the islands that could end the waits here. known is false if others
	// could, too. As long as nothing changes it returns the same islands in the same order,
	// because statements are compared by it.
	dependsOn(dst []*Island) (all []*Island, known bool)
	// state is a copy for reports.
	state() EndState
}

// newIsland makes an island that is in no registry yet, and so has no address.
func newIsland(r *Registry, core *scheduler.Core, cfg Config) *Island {
	if cfg.Mailbox <= 0 {
		cfg.Mailbox = defaultMailbox
	}
	if cfg.ProbeAfter == 0 {
		cfg.ProbeAfter = defaultProbeAfter
	}
	if cfg.Stop == nil {
		cfg.Stop = core.Steps().KillAll
	}
	i := &Island{reg: r, core: core, cfg: cfg, mailbox: newMailbox(cfg.Mailbox)}
	i.mail.owner, i.mail.handle = i, i.readMail
	i.initProber()
	return i
}

// Name is Config.Name. Any goroutine may call it.
func (i *Island) Name() string { return i.cfg.Name }

// Address is that of this life of the island. Any goroutine may call it.
func (i *Island) Address() Address { return i.addr }

// Counts returns how many commands were carried out and how many were refused so far. Commands
// that never got into the mailbox, and those that Leave answered, are not counted. The owner calls
// it.
func (i *Island) Counts() (executed, refused uint64) { return i.executed, i.refused }

// send puts a message into the mailbox. Any goroutine may call it. The message is there before the
// signal is raised, so an owner that handles the signal finds it. After an error the message is
// still the caller's, and its replier is not called.
func (i *Island) send(msg message) error {
	if err := i.mailbox.put(msg); err != nil {
		return &refusal{err, i.cfg.Name}
	}
	i.mail.raise()
	return nil
}

// refusal is an error with the name of the island. Its text is made only when it is read: a caller
// that meets ErrFull usually tries again, and formatting would cost more than the attempt.
type refusal struct {
	err  error
	name string
}

func (e *refusal) Error() string { return e.err.Error() + " (" + e.name + ")" }
func (e *refusal) Unwrap() error { return e.err }

// readMail carries out all commands. It runs before other signals are handled, so that
// commands are carried out in the order of their arrival. An answer can go back to this island
// itself: it raises a signal here, which the same turn of Serve handles.
func (i *Island) readMail() {
	for msg, ok := i.mailbox.take(); ok; msg, ok = i.mailbox.take() {
		id, err := i.execute(&msg.cmd)
		if err != nil {
			i.refused++
		} else {
			i.executed++
		}
		if msg.reply != nil {
			msg.reply.reply(id, err)
		}
	}
}

// stop makes the scheduler's loop end. The first cause counts. stopping is set before Config.Stop
// is called: that is the host's code, and may call this island.
func (i *Island) stop(cause error) {
	if !i.stopping {
		i.stopping, i.cause = true, cause
		i.cfg.Stop(cause)
	}
}

// Deadlock is the deadlock across islands that this island is part of, or nil. It never changes
// once it is not nil. The owner calls it. Cost: one atomic load while there is none.
func (i *Island) Deadlock() *DeadlockError {
	if e := i.deadlock.Load(); e != nil && e.published.Load() {
		return e
	}
	return nil
}

// deadlocked tells whether the island is part of a deadlock. From then on nothing reaches its
// fibers, so that the report stays true.
func (i *Island) deadlocked() bool { return i.Deadlock() != nil }

// servesOthers tells whether other islands may have fibers run here.
func (i *Island) servesOthers() bool { return i.cfg.KeepAlive || len(i.cfg.Programs) > 0 }

// portAwaited tells whether any fiber waits at a port for another island. It is asked only when no
// fiber is ready, so a walk over all ends is cheap enough, and no count has to be kept up to date
// by every wait.
func (i *Island) portAwaited() bool {
	for _, e := range i.ends {
		if e.awaited() {
			return true
		}
	}
	return false
}

// bridgeBusy tells whether a bridge has something in transit. The island must then not end, even
// without fibers: what it accepted from senders of this registry is still to be sent.
func (i *Island) bridgeBusy() bool {
	for _, b := range i.bridges {
		if b.Busy() {
			return true
		}
	}
	return false
}

// downError is what the other islands get for everything that this one can no longer do.
func (i *Island) downError() error {
	return &DownError{Island: i.addr, Name: i.cfg.Name, Cause: i.cause}
}
