package island

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxStreams is how many streams a bridge takes from one life of the other side, those that
// have ended among them: what is late of them has to be known.
const maxStreams = 1024

// open begins a stream to the other side: its first value says what it is for.
func (b *Bridge) open(what string, feed func(*outbound), fails func(error)) *outbound {
	b.streams++
	o := &outbound{outStream: outStream{number: b.streams}, feed: feed, fails: fails}
	o.push([]byte(what))
	b.outs[o.number] = o
	return o
}

// data takes a value of a stream of the other side, and has it answered in any case: the
// answer before may have been lost.
func (b *Bridge) data(p *packet) {
	in := b.ins[p.stream]
	switch {
	case in != nil:
	case p.seq == 0 && p.last: // it would end before it says what it is for
		b.counts.Malformed++
		return
	case len(b.ins) >= maxStreams:
		b.counts.Foreign++
		b.send(&packet{form: formAck, stream: p.stream, last: true, body: []byte("too many streams in one life of an island")})
		return
	default:
		in = &inbound{inStream: inStream{number: p.stream}}
		b.ins[p.stream] = in
	}
	in.answer = true
	if !in.take(p.seq, p.body, p.last) {
		b.counts.Repeated++
	}
}

// passOn delivers what can be delivered now, and tells the other side.
func (b *Bridge) passOn(in *inbound) {
	was := in.acknowledges()
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
		if why := in.to.over(); why != nil {
			in.refuse(why)
		}
	}
	if in.answer || in.acknowledges() != was {
		in.answer = false
		p := packet{form: formAck, stream: in.number, seq: in.acknowledges()}
		if in.err != nil {
			p.last, p.body, in.pending = true, words(in.err), nil // what came since is answered, too
			p.seq = in.expect
		}
		b.send(&p)
	}
}

// deliver takes the oldest value to where the stream leads; the first says where that is,
// and the last is no value.
func (b *Bridge) deliver(in *inbound) (ok bool, err error) {
	switch {
	case in.to == nil:
		in.to, err = b.lead(string(in.pending[0]))
		return err == nil, err
	case in.last && len(in.pending) == 1:
		in.close(nil)
		return true, nil
	}
	return in.to.deliver(in.pending[0])
}

func (b *Bridge) lead(what string) (deliverer, error) {
	switch {
	case what == commandsStream && b.cfg.Commands:
		return courthouse{b}, nil
	case what == answersStream:
		return postroom{b}, nil
	}
	name, isPort := strings.CutPrefix(what, portStream)
	if lead := b.exports[name]; isPort && lead != nil {
		return lead()
	}
	return nil, fmt.Errorf("%w: %q is not exported", ErrUnknown, what)
}

// ack hears how far the other side has come with a stream.
func (b *Bridge) ack(p *packet) {
	o := b.outs[p.stream]
	if o == nil {
		b.counts.Repeated++
		return
	}
	switch {
	case p.last:
		delete(b.outs, p.stream)
		o.fails(&RemoteError{Text: string(p.body)})
	case !o.acked(p.seq, b.isle.core.Now()):
		b.counts.Repeated++
	case o.last && len(o.kept) == 0:
		delete(b.outs, p.stream)
	}
}

func sortedKeys[V any](m map[uint32]V) []uint32 { return slices.Sorted(maps.Keys(m)) }
