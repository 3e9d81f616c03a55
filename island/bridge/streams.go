package bridge

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/wire"
)

// maxStreams is how many streams a bridge accepts from one incarnation of the peer. Streams
// that have ended count, because they stay known: a late frame must not begin one again.
const maxStreams = 1024

// The first value of a stream says what it is for: one of these, for portStream followed by
// the name of the port.
const (
	commandsStream = "commands"
	repliesStream  = "answers"
	portStream     = "port "
)

// outbound is a stream to the other side with its source.
type outbound struct {
	outStream
	// feed pushes what there is while the stream has room. It is called before each look at what is
	// due, also if nothing is new.
	feed func(*outbound)
	// failed is called when the other side takes no more: it has refused the stream, ended, or timed
	// out. The stream is in no table any more, so failed may open another one.
	failed func(error)
}

// inbound is a stream from the other side with its target. After its end it stays in Bridge.ins, with
// no target, and goes on acknowledging: an acknowledgement that was lost is asked for again.
type inbound struct {
	inStream
	to  target // nil until the first value was read, and after the end
	err error  // why the stream is refused; never reset
	ack bool   // an acknowledgement is due
}

// target is what the values of an inbound stream are delivered to: a port, the commands or the
// requests of this side. The owner calls it.
type target interface {
	// deliver passes a value on. False: it has no room now, and raises the bridge's signal
	// when it has.
	deliver(body []byte) (ok bool, err error)
	// end: no more values come.
	end(cause error)
	// endsWithPeer tells whether it ends when the peer times out, although the peer may be
	// heard of again.
	endsWithPeer() bool
	// closed is why nothing can be delivered any more, or nil.
	closed() error
}

// open begins a stream to the other side. Its first value says what it is for. A value cannot be
// lost or repeated, as a frame of a form of its own could be.
func (b *Bridge) open(purpose string, feed func(*outbound), failed func(error)) *outbound {
	b.streams++
	o := &outbound{outStream: outStream{number: b.streams}, feed: feed, failed: failed}
	o.push([]byte(purpose))
	b.outs[o.number] = o
	return o
}

// handleData takes a value from the other side. Every one is acknowledged, also one that was
// received before: the acknowledgement may have been lost.
func (b *Bridge) handleData(p *packet) {
	in := b.ins[p.stream]
	switch {
	case in != nil:
	case p.seq == 0 && p.last: // the stream would end before it says what it is for
		b.counts.Malformed++
		return
	case len(b.ins) >= maxStreams:
		// Refused without an entry: the answer is made of the frame alone.
		b.counts.Misaddressed++
		b.send(&packet{form: wire.Ack, stream: p.stream, last: true, body: []byte("too many streams in one incarnation of an island")})
		return
	default:
		in = &inbound{inStream: inStream{number: p.stream}}
		b.ins[p.stream] = in
	}
	in.ack = true
	if !in.accept(p.seq, p.body, p.last) {
		b.counts.OutOfSequence++
	}
}

// deliverPending delivers what the target has room for, and acknowledges it. An acknowledgement is
// sent if one is due or if there is progress, one for all values of this call.
func (b *Bridge) deliverPending(in *inbound) {
	before := in.acknowledged()
	for len(in.pending) > 0 && in.err == nil {
		ok, err := b.deliver(in)
		if err != nil {
			in.refuse(err)
			break
		}
		if !ok {
			break
		}
		in.delivered()
	}
	if in.err == nil && in.to != nil {
		if why := in.to.closed(); why != nil {
			in.refuse(why)
		}
	}
	// Without progress only a frame that has arrived is answered. Otherwise each turn would
	// acknowledge every stream again.
	if in.ack || in.acknowledged() != before {
		in.ack = false
		p := packet{form: wire.Ack, stream: in.number, seq: in.acknowledged()}
		if in.err != nil {
			// A refused stream has no use for the values that came after the refusal.
			p.last, p.body, in.pending = true, reason(in.err), nil
			p.seq = in.expect
		}
		b.send(&p)
	}
}

// deliver handles the oldest pending value: the first one opens the target, and the one with
// the end mark carries no value.
func (b *Bridge) deliver(in *inbound) (ok bool, err error) {
	switch {
	case in.to == nil:
		in.to, err = b.openTarget(string(in.pending[0]))
		return err == nil, err
	case in.last && len(in.pending) == 1:
		in.close(nil)
		return true, nil
	}
	return in.to.deliver(in.pending[0])
}

// openTarget is where it is decided what the other side may do: exported ports only, and commands
// only if they are allowed. Replies need no permission: those that fit no open request are dropped.
func (b *Bridge) openTarget(purpose string) (target, error) {
	switch {
	case purpose == commandsStream && b.cfg.AllowCommands:
		return commandReceiver{b}, nil
	case purpose == commandsStream:
		return nil, errCommands
	case purpose == repliesStream:
		return replyReceiver{b}, nil
	}
	name, isPort := strings.CutPrefix(purpose, portStream)
	if open := b.exports[name]; isPort && open != nil {
		return open()
	}
	return nil, fmt.Errorf("%w: %q is not exported", island.ErrUnknown, purpose)
}

// handleAck notes how many values of a stream the other side has delivered, or that it refuses the
// stream. A stream whose end was acknowledged is forgotten.
func (b *Bridge) handleAck(p *packet) {
	o := b.outs[p.stream]
	if o == nil {
		b.counts.OutOfSequence++
		return
	}
	// The stream is deleted before failed is called, which may open a new one. An acknowledgement
	// that arrives for it later finds none.
	switch {
	case p.last:
		delete(b.outs, p.stream)
		o.failed(&remoteError{text: string(p.body)})
	case !o.acked(p.seq, b.inner.Now()):
		b.counts.OutOfSequence++
	case o.last && len(o.kept) == 0:
		delete(b.outs, p.stream)
	}
}

// refuse ends the stream here; the next acknowledgement tells the other side why. It is sent again
// for each value that still arrives, so the other side learns of it however many frames are lost.
func (in *inbound) refuse(why error) {
	if in.err == nil {
		in.err, in.pending, in.ack = why, nil, true
		in.close(why)
	}
}

// close ends the target, which is not kept alive by the stream.
func (in *inbound) close(cause error) {
	if to := in.to; to != nil {
		in.to = nil
		to.end(cause)
	}
}
