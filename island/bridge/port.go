package bridge

import (
	"fmt"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/wait"
)

// Codec encodes and decodes the values of a port. The owner of the bridge's island calls it, in the
// middle of its loop, so it must not block. An error on either side ends the stream, because a value
// that is left out would break the order of the others.
type Codec[T any] interface {
	// Append appends the bytes of v to b. They must fit into a frame (MaxFrame).
	Append(b []byte, v T) ([]byte, error)
	// Parse must expect any bytes, and must not keep them: they are a part of a frame.
	Parse(b []byte) (T, error)
}

// Export lets the other side send to the port of that name in this registry. The port has to
// be open when the other side begins to send. The owner calls it.
func Export[T any](b *Bridge, name string, codec Codec[T]) {
	// Each stream gets a Sender of its own, dialed when its first value arrives. So a port can be
	// exported before it is opened, and imported again by the next incarnation of the other side.
	b.exports[name] = func() (target, error) {
		s, err := island.Dial[T](b.island, name)
		if err != nil {
			return nil, err
		}
		inner := s.Source().(relay.Sender)
		inner.OnRoom(b.raise)
		return &portReceiver[T]{s, inner, codec}, nil
	}
}

// portReceiver delivers the values of a stream to an exported port.
type portReceiver[T any] struct {
	sender *island.Sender[T]
	inner  relay.Sender
	codec  Codec[T]
}

// deliver is refused with an error if the bytes are not a value: the stream cannot go on without it.
// Without room the value stays in the stream, unacknowledged. The other side's window then fills up,
// and with it the ring of its senders: that is how back-pressure crosses the bridge.
func (r *portReceiver[T]) deliver(body []byte) (bool, error) {
	v, err := r.codec.Parse(body)
	if err != nil {
		return false, err
	}
	ok, err := r.sender.TrySend(v)
	if !ok && err == nil {
		r.inner.AwaitRoom()
	}
	return ok, err
}

// end tells receivers why nothing more comes, unless it is the port or the island that ended.
func (r *portReceiver[T]) end(cause error) {
	if r.sender.Err() != nil {
		cause = nil
	}
	r.inner.CloseFor(cause)
}

// endsWithPeer is true: receivers here learn of the silence by the end of the port. Values of the
// stream that arrive later are refused.
func (r *portReceiver[T]) endsWithPeer() bool { return true }

// closed has the stream refused as soon as the port here is closed, and not only by the next value.
func (r *portReceiver[T]) closed() error { return r.sender.Err() }

// Import opens a port in this registry that leads to the other side's exported port of the
// same name. Fibers of any island of this registry send to it; none receives from it, as the
// bridge does. Port.Close ends what is sent; values that were accepted still go over. The port
// closes by itself, with the reason as Port.Err, when the other port is closed or the other
// side is gone; if that message is lost, when the next value is sent. The owner calls it.
// Errors: as island.Open, and island.ErrFrame if the name fits into no frame.
func Import[T any](b *Bridge, name string, capacity int, codec Codec[T]) (*island.Port[T], error) {
	if len(portStream)+len(name) > maxBody {
		return nil, fmt.Errorf("%w: the port name has %d bytes, a bridge carries %d", island.ErrFrame, len(name), maxBody-len(portStream))
	}
	p, err := island.Open[T](b.island, name, capacity)
	if err != nil {
		return nil, err
	}
	s := &portSender[T]{port: p, inner: p.Source().(relay.Port[T]), codec: codec}
	b.open(portStream+name, s.feed, s.failed)
	s.inner.OnArrival(b.raise)
	b.raise()
	return p, nil
}

// portSender sends the values of an imported port to the other side.
type portSender[T any] struct {
	port  *island.Port[T]
	inner relay.Port[T]
	codec Codec[T]
}

// feed takes values from the port only while the stream has room, so that back-pressure reaches the
// senders of this registry.
func (s *portSender[T]) feed(o *outbound) {
	for o.hasRoom() {
		v, status := s.port.TryRecv()
		if status == wait.Closed {
			o.finish()
			return
		}
		if status != wait.Received {
			return
		}
		body, err := s.codec.Append(nil, v)
		if err == nil && len(body) > maxBody {
			err = fmt.Errorf("%w: a value has %d bytes, a bridge carries %d", island.ErrFrame, len(body), maxBody)
		}
		if err != nil {
			// A value must not be left out: the port ends here, and its senders learn why.
			s.inner.Lose(v)
			s.failed(err)
			o.finish()
			return
		}
		o.push(body)
	}
}

// failed closes the port and hands what it had accepted to OnLost. Senders that the port does not
// know yet may still bring values, so the hook stays. It may be called twice: by feed for a value
// that cannot be encoded, and later when the stream fails; the first cause counts.
func (s *portSender[T]) failed(cause error) {
	s.inner.CloseFor(cause)
	s.inner.OnArrival(s.discard)
	s.discard()
}

// discard hands accepted values to the port's OnLost, so that each of them is accounted for (I12).
func (s *portSender[T]) discard() {
	for v, status := s.port.TryRecv(); status == wait.Received; v, status = s.port.TryRecv() {
		s.inner.Lose(v)
	}
}
