package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/wait"
)

// Codec is how values of a port become bytes and back. What Parse is given may have been
// made by anybody; it must not keep it.
type Codec[T any] interface {
	Append(b []byte, v T) ([]byte, error)
	Parse(b []byte) (T, error)
}

// Export lets the other side send to the port of that name, of this registry, which must
// be open when it begins to. The owner calls it.
func Export[T any](b *Bridge, name string, codec Codec[T]) {
	b.exports[name] = func() (deliverer, error) {
		s, err := Dial[T](b.isle, name)
		if err != nil {
			return nil, err
		}
		s.onRoom = b.bell.ring
		return &landing[T]{s, codec}, nil
	}
}

// landing delivers the values of a stream to a port of this side.
type landing[T any] struct {
	sender *Sender[T]
	codec  Codec[T]
}

func (l *landing[T]) deliver(body []byte) (bool, error) {
	v, err := l.codec.Parse(body)
	if err != nil {
		return false, err
	}
	ok, err := l.sender.TrySend(v)
	if !ok && err == nil {
		l.sender.watch()
	}
	return ok, err
}

// end tells receivers why, unless the port is what has ended, or the island, and with it the Sender.
func (l *landing[T]) end(cause error) {
	if l.sender.Err() != nil {
		cause = nil
	}
	if !l.sender.shut {
		l.sender.finish(cause)
	}
}

func (l *landing[T]) ends() bool { return true }

func (l *landing[T]) over() error { return l.sender.Err() }

// Import opens a port under that name in this registry which leads to the port of the
// other side that has it. Its values go there by themselves: fibers send to it, from any
// island of the registry, and none receives from it. Close ends what is sent; what was
// accepted still goes over. It closes by itself, with why as Port.Err, when the other port
// is closed or the other side is gone: if the transport loses the word of it, when the next
// value is sent. The owner calls it. Errors: as Open; ErrFrame for a name that no frame can carry.
func Import[T any](b *Bridge, name string, capacity int, codec Codec[T]) (*Port[T], error) {
	if len(portStream)+len(name) > maxBody {
		return nil, fmt.Errorf("%w: a port's name of %d bytes is too long for a bridge", ErrFrame, len(name))
	}
	p, err := Open[T](b.isle, name, capacity)
	if err != nil {
		return nil, err
	}
	ferry := &ferry[T]{port: p, codec: codec}
	b.open(portStream+name, ferry.feed, ferry.fails)
	p.sink = b.bell.ring
	b.bell.ring()
	return p, nil
}

// ferry takes what is sent to an imported port to the other side.
type ferry[T any] struct {
	port  *Port[T]
	codec Codec[T]
}

func (f *ferry[T]) feed(o *outbound) {
	for o.hasRoom() {
		v, status := f.port.TryRecv()
		if status == wait.Closed {
			o.finish()
			return
		}
		if status != wait.Received {
			return
		}
		body, err := f.codec.Append(nil, v)
		if err == nil && len(body) > maxBody {
			err = fmt.Errorf("%w: a value of %d bytes is too long for a bridge", ErrFrame, len(body))
		}
		if err != nil {
			f.port.lose(v)
			f.fails(err) // the Senders are told; the rest cannot follow
			o.finish()
			return
		}
		o.push(body)
	}
}

func (f *ferry[T]) fails(cause error) {
	p := f.port
	if p.cause == nil {
		p.cause = cause
	}
	if p.close(cause) {
		p.isle.dropEnd(p)
	}
	p.sink = f.discard // there may be Senders that have not been heard of yet
	f.discard()
}

// discard hands over what was accepted and is not to be delivered any more.
func (f *ferry[T]) discard() {
	for v, status := f.port.TryRecv(); status == wait.Received; v, status = f.port.TryRecv() {
		f.port.lose(v)
	}
}
