package island

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// DefaultGiveUp is how long a bridge waits for its other side.
const DefaultGiveUp = 30 * time.Second

// ErrSilent: the other side of a bridge has not answered for BridgeConfig.GiveUp.
var ErrSilent = errors.New("island: the other side of the bridge is silent")

// BridgeConfig is how a Bridge behaves; the zero BridgeConfig is usable.
type BridgeConfig struct {
	// GiveUp is how long something may be on its way without an answer; then the other side
	// counts as gone. 0 is DefaultGiveUp, below 0 is for ever.
	GiveUp time.Duration
	// Commands lets the other side command the islands of this registry: spawn their
	// programs, wake and cancel fibers, shut them down. Whoever can send frames is believed:
	// the transport has to know who it talks to.
	Commands bool
	// Backlog is how many frames may wait for the owner; more are lost, and sent again by
	// the other side. 0 is 1024.
	Backlog int
}

// Bridge joins the ports of two registries, in two processes or in one, over a Transport.
// It is on an island, whose owner does all its work: what it exports can be sent to from
// the other side, what it imports is a port of the other side under the same name here.
//
// Promised: values are received once and in the order of their Sender, however the
// transport loses, repeats and reorders, while both islands live and are not silent for
// longer than GiveUp. A value is on one side or the other or on its way: a Sender learns
// only that it has been accepted here. If an island ends, what it had accepted and not
// passed on is lost with it, and the Senders of the other side are told.
type Bridge struct {
	isle *Island
	wire Transport
	cfg  BridgeConfig
	bell bell

	// The owner's.
	peer    Address
	absent  absence
	outs    map[uint32]*outbound
	ins     map[uint32]*inbound
	exports map[string]func() (deliverer, error)
	streams uint32

	requests          map[uint64]*request // not answered yet
	asked             uint64
	commands, answers letters

	counts BridgeCounts
	buf    []byte
	batch  [][]byte
	down   bool

	mu      sync.Mutex
	frames  [][]byte
	replies [][]byte
	lost    uint64
}

// absence is whether a bridge takes its peer for gone. What it begins then is for whoever
// answers, as before it knew anybody.
type absence uint8

const (
	present absence = iota
	silent          // it has not answered for long, and may yet
	over            // it said goodbye: what comes of it is late
)

// BridgeCounts is what became of the frames that came. Foreign are those that were for
// another life of the island, or from one that is over; Repeated were taken before, or
// came before their forerunners; Lost were too many at once.
type BridgeCounts struct {
	Frames, Malformed, Foreign, Repeated, Lost uint64
}

// outbound is a stream to the other side with what feeds it.
type outbound struct {
	outStream
	feed  func(*outbound) // pushes what there is while there is room
	fails func(error)     // the other side takes no more
}

// inbound is a stream from the other side with where it leads.
type inbound struct {
	inStream
	to     deliverer
	err    error // why it is refused
	answer bool  // the other side is to be told how far this has come
}

// deliverer is where the values of a stream go.
type deliverer interface {
	// deliver passes a value on; false: not now, the bridge is told when.
	deliver(body []byte) (ok bool, err error)
	// end: no more come.
	end(cause error)
	// ends tells whether it ends when the other side is given up, although that may be heard
	// of again.
	ends() bool
	// over is why nothing can be delivered any more, or nil.
	over() error
}

// NewBridge makes the island's side of a bridge. The owner calls it, gives Receive to the
// transport, and then exports and imports.
func NewBridge(i *Island, wire Transport, cfg BridgeConfig) *Bridge {
	if cfg.GiveUp == 0 {
		cfg.GiveUp = DefaultGiveUp
	}
	if cfg.Backlog <= 0 {
		cfg.Backlog = 1024
	}
	b := &Bridge{isle: i, wire: wire, cfg: cfg, outs: map[uint32]*outbound{}, ins: map[uint32]*inbound{},
		exports: map[string]func() (deliverer, error){}}
	b.asked = uint64(i.addr.Incarnation) << 32 // no other life waits for the same answer
	b.bell.of, b.bell.serve = i, b.receive
	i.bridges = append(i.bridges, b)
	return b
}

// Receive is given whatever the transport has received, by any goroutine. It is not to be
// trusted, and not kept. Several goroutines may call it at once, from Send too, and after the
// end of the island.
func (b *Bridge) Receive(frame []byte) {
	b.mu.Lock()
	if len(b.frames) >= b.cfg.Backlog {
		b.lost++
		b.mu.Unlock()
		return
	}
	if len(frame) > MaxFrame {
		frame = nil // it is no frame, and not worth the copy
	}
	b.frames = append(b.frames, append([]byte(nil), frame...))
	b.mu.Unlock()
	b.bell.ring()
}

// Counts are the totals so far; the owner asks.
func (b *Bridge) Counts() BridgeCounts {
	c := b.counts
	b.mu.Lock()
	c.Lost = b.lost
	b.mu.Unlock()
	return c
}

// receive looks at all frames that have come, and answers.
func (b *Bridge) receive() {
	b.mu.Lock()
	b.frames, b.batch = b.batch[:0], b.frames
	b.mu.Unlock()
	for k, frame := range b.batch {
		b.batch[k] = nil
		b.counts.Frames++
		p, err := parsePacket(frame)
		switch {
		case err != nil:
			b.counts.Malformed++
		case b.down || !b.meet(&p):
			b.counts.Foreign++
		case p.form == formData:
			b.data(&p)
		case p.form == formAck:
			b.ack(&p)
		default:
			down := &DownError{Island: p.from, Name: "the other side"}
			if len(p.body) > 0 {
				down.Cause = errors.New(string(p.body))
			}
			b.absent = over
			b.failOuts(down)
			b.failIns(down)
		}
	}
	if b.down {
		return // it has said goodbye
	}
	b.sendReplies()
	b.turn()
}

// meet learns who is on the other side. A later life of it has forgotten all streams, and
// an earlier one has nothing to say any more.
func (b *Bridge) meet(p *packet) bool {
	if p.to != (Address{}) && p.to != b.isle.addr || p.from == b.isle.addr {
		return false
	}
	switch {
	case p.from == b.peer && b.absent == over, p.from.Incarnation < b.peer.Incarnation:
		return false
	case p.from == b.peer:
	case b.peer == Address{}:
		b.peer = p.from
	default:
		down := &DownError{Island: b.peer, Name: "the other side", Cause: fmt.Errorf("it is %v now", p.from)}
		if b.absent == present {
			b.failOuts(down)
		}
		b.failIns(down)
		b.peer = p.from
	}
	b.absent = present
	return true
}

// turn sends whatever is to be sent now.
func (b *Bridge) turn() {
	now := b.isle.core.Now()
	for _, n := range sortedKeys(b.ins) {
		b.passOn(b.ins[n])
	}
	for _, n := range sortedKeys(b.outs) {
		if o := b.outs[n]; o != nil { // the other side has not been given up meanwhile
			o.feed(o)
			b.post(o, now)
		}
	}
}

// post sends what is due of a stream, or gives the other side up.
func (b *Bridge) post(o *outbound, now fiber.Time) {
	if b.cfg.GiveUp > 0 && o.overdue(now, b.cfg.GiveUp) {
		b.giveUp(fmt.Errorf("%w for %v", ErrSilent, b.cfg.GiveUp))
		return
	}
	first, bodies := o.due(now)
	for k, body := range bodies {
		last := o.last && k == len(bodies)-1
		b.send(&packet{form: formData, stream: o.number, seq: first + uint64(k), last: last, body: body})
	}
}

func (b *Bridge) send(p *packet) {
	p.from, p.to = b.isle.addr, b.peer
	if p.form == formData && b.absent != present {
		p.to = Address{}
	}
	b.buf = p.appendTo(b.buf[:0])
	_ = b.wire.Send(b.buf) // as good as lost: it is sent again
}

// failOuts ends all streams to the other side.
func (b *Bridge) failOuts(cause error) {
	outs := b.outs
	b.outs = map[uint32]*outbound{}
	for _, n := range sortedKeys(outs) {
		outs[n].fails(cause)
	}
}

// failIns ends all streams of a life of the other side that is over.
func (b *Bridge) failIns(cause error) {
	ins := b.ins
	b.ins = map[uint32]*inbound{}
	for _, n := range sortedKeys(ins) {
		ins[n].close(cause)
	}
}

// giveUp takes the other side for gone because it is silent. If it only could not be heard, it
// goes on with its streams: those to ports have ended here, and are refused.
func (b *Bridge) giveUp(cause error) {
	if b.peer != (Address{}) {
		b.absent = silent
	}
	b.failOuts(cause)
	for _, n := range sortedKeys(b.ins) {
		if in := b.ins[n]; in.to != nil && in.to.ends() {
			in.refuse(cause)
		}
	}
}

// refuse has the stream taken no further, and the other side told.
func (in *inbound) refuse(why error) {
	if in.err == nil {
		in.err, in.pending, in.answer = why, nil, true
		in.close(why)
	}
}

// close ends what the stream leads to, which is not kept: that it has ended is.
func (in *inbound) close(cause error) {
	if to := in.to; to != nil {
		in.to = nil
		to.end(cause)
	}
}

// leave tells the other side, once, that the island is gone; if that is lost it will find
// it silent.
func (b *Bridge) leave(cause error) {
	b.down = true
	b.mu.Lock()
	b.cfg.Backlog = 0 // what still comes is not kept
	b.mu.Unlock()
	bye := packet{form: formBye}
	if cause != nil {
		bye.body = words(cause)
	}
	b.send(&bye)
}

// next is when the bridge wants to be served at the latest.
func (b *Bridge) next() fiber.Time {
	at := fiber.Never
	for _, o := range b.outs {
		at = min(at, o.next())
	}
	return at
}

// busy tells whether something is on its way.
func (b *Bridge) busy() bool {
	for _, o := range b.outs {
		if len(o.kept) > 0 {
			return true
		}
	}
	for _, in := range b.ins {
		if len(in.pending) > 0 {
			return true
		}
	}
	return false
}

// serveBridges sends again what was not answered in time.
func (i *Island) serveBridges() {
	for _, b := range i.bridges {
		if at := b.next(); at != fiber.Never && i.core.Now() >= at && !b.down {
			b.turn()
		}
	}
}

func (i *Island) bridgeBusy() bool {
	for _, b := range i.bridges {
		if b.busy() {
			return true
		}
	}
	return false
}
