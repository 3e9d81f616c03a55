package bridge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// handleFrames handles all frames that were received, and answers them. It swaps the two slices of
// frames, so that Receive can go on while the owner works, and neither slice is allocated again.
// The answers come after the last frame: one acknowledgement then covers many values.
func (b *Bridge) handleFrames() {
	b.mu.Lock()
	b.frames, b.batch = b.batch[:0], b.frames
	b.mu.Unlock()
	for k, frame := range b.batch {
		b.batch[k] = nil // not kept alive until the next batch
		b.counts.Frames++
		p, err := parsePacket(frame)
		switch {
		case err != nil:
			b.counts.Malformed++
		case b.left || !b.identifyPeer(&p):
			b.counts.Misaddressed++
		case p.form == wire.Data:
			b.handleData(&p)
		case p.form == wire.Ack:
			b.handleAck(&p)
		default:
			b.handleBye(&p)
		}
	}
	if b.left {
		return // the goodbye was the last frame
	}
	// Replies come from the islands that were asked, which raise the same signal as Receive does.
	b.queueReplies()
	b.sendDue()
}

// sendDue sends every acknowledgement and value that is due now. Streams are visited in the
// order of their numbers, so that a run with a seeded transport can be repeated. Each visit first
// moves what the port or the requests have into the stream, because an acknowledgement of this
// turn may have made room there.
func (b *Bridge) sendDue() {
	now := b.inner.Now()
	for _, n := range sortedKeys(b.ins) {
		b.deliverPending(b.ins[n])
	}
	for _, n := range sortedKeys(b.outs) {
		if o := b.outs[n]; o != nil { // the peer may have been given up by one before
			o.feed(o)
			b.sendStream(o, now)
		}
	}
}

// sendStream sends what is due of a stream, or gives the peer up. One overdue stream is enough: all
// streams share the transport, and a peer that lives answers each of them.
func (b *Bridge) sendStream(o *outbound, now fiber.Time) {
	if b.cfg.Timeout > 0 && o.overdue(now, b.cfg.Timeout) {
		b.giveUpPeer(fmt.Errorf("%w (for %v)", ErrTimeout, b.cfg.Timeout))
		return
	}
	first, bodies := o.due(now)
	for k, body := range bodies {
		last := o.last && k == len(bodies)-1
		b.send(&packet{form: wire.Data, stream: o.number, seq: first + uint64(k), last: last, body: body})
	}
}

// send reuses one buffer: Transport.Send must not keep the frame. An in-process transport may call
// Receive of the other side, or of this bridge, from Send; that only queues a copy, so the buffer
// is not used twice at the same time.
func (b *Bridge) send(p *packet) {
	p.from, p.to = b.island.Address(), b.peer
	if p.form == wire.Data && b.peerState != peerPresent {
		p.to = island.Address{} // for the next incarnation of the peer as well
	}
	b.buf = p.appendTo(b.buf[:0])
	_ = b.wire.Send(b.buf) // an error is a loss: it is sent again
}

func sortedKeys[K uint32 | uint64, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
