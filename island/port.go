package island

import (
	"fmt"
	"sync"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Port is a channel into an island: its own fibers receive, those of any island send, each
// island through a Sender. It belongs to its island's owner.
//
// Promised: what one Sender has sent is received in that order and once; Senders that have
// something take turns; a value goes to the receiver that has waited longest (I11).
// Nothing is promised about the order between two Senders. When the port is closed, what
// was sent is still received; then receivers read Closed.
type Port[T any] struct {
	wait.Object
	isle     *Island
	capacity int
	pass     func(*T) T

	recvs  waitq.Queue[T] // waiting receivers; assigned: values they have not collected
	links  []*link[T]     // senders that are not done
	line   line[T]        // those that have something, whose turn is next first
	ending bool           // Close or Seal was called: look whether it is over
	sink   func()         // told when there may be something to receive, or the end
	lost   uint64
	onLost func(T)
	cause  error // of a sender that ended because its island did

	mu      sync.Mutex
	arrived int    // links admitted and not heard of yet, or not done
	sealed  bool   // no more senders
	shut    bool   // Close was called
	gone    error  // the island has left
	name    string // in the registry
}

var (
	_ fiber.Assigner  = (*Port[int])(nil)
	_ fiber.Described = (*Port[int])(nil)
	_ end             = (*Port[int])(nil)
)

// MaxCapacity is the most that a port's capacity can be: each Sender has a ring as long.
const MaxCapacity = 1 << 24

// Open makes a port of the island under a name of the registry; capacity, at least 1 and
// rounded up to a power of two, is how many values each Sender may have sent that are not
// received yet. T declares how its values pass: it is a Mover, a Cloner, or has no
// pointers; else the error is ErrShared. The island's owner calls it. Errors: ErrTaken,
// ErrDown, ErrRequest if the capacity is more than MaxCapacity.
func Open[T any](i *Island, name string, capacity int) (*Port[T], error) {
	pass, err := passage[T]()
	switch {
	case err != nil:
		return nil, err
	case capacity > MaxCapacity:
		return nil, fmt.Errorf("%w: port %q: capacity %d is more than %d", ErrRequest, name, capacity, MaxCapacity)
	case i.stopping:
		return nil, i.downError()
	}
	p := &Port[T]{isle: i, capacity: max(capacity, 1), pass: pass, name: name}
	p.SetName(name)
	if err := i.reg.addPort(name, p); err != nil {
		return nil, err
	}
	i.ends = append(i.ends, p)
	return p, nil
}

func (r *Registry) addPort(name string, p any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ports[name] != nil {
		return fmt.Errorf("%w: the port name %q", ErrTaken, name)
	}
	r.ports[name] = p
	return nil
}

func findPort[T any](r *Registry, name string) (*Port[T], error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch p := r.ports[name].(type) {
	case *Port[T]:
		return p, nil
	case nil:
		return nil, fmt.Errorf("%w: no port %q is open", ErrUnknown, name)
	default:
		return nil, fmt.Errorf("%w: port %q is a %T", ErrUnknown, name, p)
	}
}

// admit counts a link in, or refuses it. It is called by the sender's owner.
func (p *Port[T]) admit() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.gone
	switch {
	case err != nil:
	case p.shut:
		err = wait.ErrClosed
	case p.sealed:
		err = ErrSealed
	default:
		p.arrived++
		return nil
	}
	return &wait.Error{Op: "dial", Object: p.title(), Err: err}
}

// heard looks at a link whose bell has rung.
func (p *Port[T]) heard(l *link[T]) {
	switch {
	case l.at == dropped:
		return // it rang once more when it was done
	case p.isle.left:
		l.shut()
		return
	}
	if l.at == 0 {
		p.links = append(p.links, l)
		l.at = len(p.links)
		if p.Closed() {
			l.shut()
		}
	}
	if !l.ready {
		p.look(l)
	}
	p.serve()
	if l.at != dropped {
		p.isle.watch(&l.news)
	}
}

// look puts a link into the line if it has something. Whether the sender is done is looked
// at before the ring: what it has put in, it has put in earlier.
func (p *Port[T]) look(l *link[T]) {
	done := l.done.Load()
	switch {
	case !l.empty():
		l.ready = true
		p.line.push(l)
	case done:
		p.drop(l)
	}
}

// next is the oldest value of the sender whose turn it is.
func (p *Port[T]) next() (v T, ok bool) {
	l := p.line.pop()
	if l == nil {
		return v, false
	}
	v, ok = l.take()
	l.ready = false
	p.look(l)
	return v, ok
}

// drop forgets a link that is done and drained.
func (p *Port[T]) drop(l *link[T]) {
	last := p.links[len(p.links)-1]
	p.links[l.at-1], last.at = last, l.at
	l.at = dropped
	p.isle.unwatch(&l.news)
	p.links[len(p.links)-1] = nil // it is not kept alive
	p.links = p.links[:len(p.links)-1]
	if p.cause == nil {
		p.cause = l.cause
	}
	p.mu.Lock()
	p.arrived--
	p.mu.Unlock()
}

// serve gives those who wait what has come, or tells them that nothing will.
func (p *Port[T]) serve() {
	if p.sink != nil {
		p.sink()
	}
	for p.recvs.Waiting() > 0 {
		v, ok := p.next()
		if !ok {
			break
		}
		t, tag, _ := p.recvs.Match(v)
		p.wake(t, fiber.OK, tag)
	}
	for p.recvs.Waiting() > 0 && p.over() && !p.outlived() {
		t, tag, _, _ := p.recvs.Pop()
		p.wake(t, fiber.Closed, tag)
	}
}

func (p *Port[T]) wake(t fiber.Ticket, code fiber.Code, tag uint32) {
	p.isle.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}})
}

// over tells whether nothing can come any more: no sender is left that could send or has
// something in its ring, and none can be opened.
func (p *Port[T]) over() bool {
	if !p.ending {
		return false
	}
	for _, l := range p.links {
		if !l.drained() || !l.closed() {
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.arrived == len(p.links) // all are known
}
