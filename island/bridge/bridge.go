package bridge

import (
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/relay"
)

const (
	defaultTimeout = 30 * time.Second
	defaultBacklog = 1024
)

// Transport carries frames to the bridge on the other side. It may lose, repeat, delay and
// reorder them and deliver bytes that no bridge has sent. The program passes what it has
// received to Bridge.Receive.
type Transport interface {
	// Send sends a frame of at most MaxFrame bytes. It is called by the owner of the island,
	// which does nothing else meanwhile, so it must not block for long. It must not keep the
	// frame. An error counts as a loss: the frame will be sent again.
	Send(frame []byte) error
}

// Config is how a Bridge behaves. The zero Config is usable.
type Config struct {
	// Timeout is how long something sent may stay unanswered until the other side counts as
	// gone. 0 means 30 s, below 0 means no limit.
	Timeout time.Duration
	// AllowCommands lets the other side command the islands of this registry: spawn their
	// programs, wake and cancel fibers, shut islands down. Frames are believed, so the
	// transport has to authenticate the sender.
	AllowCommands bool
	// Backlog is how many received frames may wait for the owner; more are dropped, and the
	// other side sends them again. 0 means 1024.
	Backlog int
}

// Counts is what became of the received frames.
type Counts struct {
	Frames        uint64 // all that were looked at
	Malformed     uint64 // not a packet: corrupted or forged
	Misaddressed  uint64 // to another incarnation of the island, from one that has ended, or from an island that is not the peer
	OutOfSequence uint64 // received before, or ahead of a value that was lost
	Dropped       uint64 // not looked at: Config.Backlog frames were waiting
}

// Bridge is one side of a connection between two registries. It belongs to an island, whose
// owner does all its work. The other side can send to the ports that it exports; a port that
// it imports leads to the port of that name on the other side.
//
// Promised: a value is received once, and in the order of its Sender, whatever the transport
// does, while both islands live and neither is silent for longer than Config.Timeout. A send
// that was accepted says that the value is in the bridge on this side, not that it has
// arrived. If an island ends, what it had accepted and not delivered is lost with it, and
// the senders of the other side are told.
type Bridge struct {
	island *island.Island
	inner  relay.Island
	wire   Transport
	cfg    Config
	raise  func() // has the owner call handleFrames; any goroutine may call it

	// Used only by the owner.

	// peer is the bridge's island on the other side, learned from its first frame; zero before.
	peer      island.Address
	peerState peerState
	// outs are the streams to the other side, until their end is acknowledged or they fail. ins are
	// those from its present incarnation, ended ones included. Both sides number their own streams
	// from 1, so a number occurs in both maps for different streams.
	outs    map[uint32]*outbound
	ins     map[uint32]*inbound
	exports map[string]func() (target, error)
	streams uint32 // the number of the last stream to the other side

	requests          map[uint64]func(fiber.ID, error) // not answered, by number
	requested         uint64                           // the number of the last one
	commands, replies ctlStream

	counts Counts
	buf    []byte   // of the frame that is being sent
	batch  [][]byte // the received frames that are being handled
	left   bool     // the island has ended

	// Under mu: what other goroutines leave for the owner before they raise the signal.
	mu          sync.Mutex
	frames      [][]byte // received, for the owner
	newReplies  [][]byte // of other islands to commands from the other side
	dropped     uint64
	maxReceived int // Config.Backlog; 0 when the island has ended
}

// New makes a bridge on the island. The owner calls it, has the transport pass frames to
// Receive, and then exports and imports ports.
func New(i *island.Island, wire Transport, cfg Config) *Bridge {
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.Backlog <= 0 {
		cfg.Backlog = defaultBacklog
	}
	b := &Bridge{island: i, wire: wire, cfg: cfg, maxReceived: cfg.Backlog,
		outs: map[uint32]*outbound{}, ins: map[uint32]*inbound{}, exports: map[string]func() (target, error){}}
	// Request numbers differ between incarnations, so that a late answer finds no request.
	b.requested = uint64(i.Address().Incarnation) << 32
	b.inner = i.Attach((*attached)(b))
	b.raise = b.inner.Signal(b.handleFrames)
	return b
}

// Receive takes a frame that the transport has received. It checks the frame and does not
// keep it. Any goroutines may call it at the same time, also from Transport.Send and after
// the end of the island.
func (b *Bridge) Receive(frame []byte) {
	b.mu.Lock()
	if len(b.frames) >= b.maxReceived {
		b.dropped++
		b.mu.Unlock()
		return
	}
	// The frame is parsed by the owner: what it means depends on the owner's state. The backlog
	// bounds the memory that a flood of forged frames can take.
	if len(frame) > MaxFrame {
		frame = nil // counted as malformed, without the cost of a copy
	}
	b.frames = append(b.frames, append([]byte(nil), frame...))
	b.mu.Unlock()
	b.raise()
}

// Counts returns the totals so far. The owner calls it.
func (b *Bridge) Counts() Counts {
	c := b.counts
	b.mu.Lock()
	c.Dropped = b.dropped
	b.mu.Unlock()
	return c
}
