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
	// The owner calls it. Without Peers, deadlock
	// detection assumes that no fiber is moved here.
	Peers func() (peers []*Island, known bool)
	// ProbeAfter is how long the island sleeps, while only other islands can wake it, before it
	// starts a deadlock probe. 0 means 100 ms. Below 0 the island starts none; it answers the
	// probes of others, and then a deadlock is found only if one of them starts a probe.
	ProbeAfter time.Duration
}

// Island is a scheduler that has joined a registry. It belongs to the scheduler's owner; a
// method that other goroutines may call says so.
type Island struct {
	reg  *Registry
	core *scheduler.Core
	cfg  Config
	addr Address

	mailbox  *mailbox
	mail     signal                 // of the mailbox
	raised   atomic.Pointer[signal] // the raised signals, the last one first
	deadlock atomic.Pointer[DeadlockError]

	// Used only by the owner.
	ends         []portEnd // ports and senders that are open
	bridges      []relay.Bridge
	freeRequests []*request
	polled       []*signal
	parks        bool // the loop sleeps by Park and so tells when it sleeps
	stopping     bool
	left         bool  // the registry: nothing reaches the fibers here any more
	cause        error // of the end
	executed     uint64
	refused      uint64
	prober       prober
}

// portEnd is a port or a sender as its island sees it.
type portEnd interface {
	// awaited tells whether a fiber here waits for something that another island does.
	awaited() bool
	// down closes the end because the island leaves.
	down()
	// dependsOn appends the islands that could end the waits here. known is false if others
	// could, too.
	dependsOn(dst []*Island) (all []*Island, known bool)
}

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

// Counts returns how many commands were carried out and how many were refused so far. The
// owner calls it.
func (i *Island) Counts() (executed, refused uint64) { return i.executed, i.refused }

// send puts a message into the mailbox. Any goroutine may call it.
func (i *Island) send(msg message) error {
	if err := i.mailbox.put(msg); err != nil {
		return &refusal{err, i.cfg.Name}
	}
	i.mail.raise()
	return nil
}

// refusal is an error with the name of the island, whose text is made only when it is read.
type refusal struct {
	err  error
	name string
}

func (e *refusal) Error() string { return e.err.Error() + " (" + e.name + ")" }
func (e *refusal) Unwrap() error { return e.err }

// readMail carries out all commands. It runs before other signals are handled, so that
// commands are carried out in the order of their arrival.
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

// stop makes the scheduler's loop end. The first cause counts.
func (i *Island) stop(cause error) {
	if !i.stopping {
		i.stopping, i.cause = true, cause
		i.cfg.Stop(cause)
	}
}

// Deadlock is the deadlock across islands that this island is part of, or nil. The owner
// calls it.
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

func (i *Island) portAwaited() bool {
	for _, e := range i.ends {
		if e.awaited() {
			return true
		}
	}
	return false
}

func (i *Island) bridgeBusy() bool {
	for _, b := range i.bridges {
		if b.Busy() {
			return true
		}
	}
	return false
}

func (i *Island) downError() error {
	return &DownError{Island: i.addr, Name: i.cfg.Name, Cause: i.cause}
}
