package island

import (
	"fmt"
	"sync"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/wait"
)

// Port is a channel into an island: its own fibers receive, and those of any island send, each
// island through a Sender. It belongs to the owner of its island.
//
// Promised: what one Sender has sent is received once and in that order. Senders that have
// values take turns. A value goes to the receiver that has waited longest (I11). Nothing is
// promised about the order between two Senders. When the port is closed, what was sent before
// is still received; then receivers read Closed.
//
// Invariants, between two calls of the owner:
//   - a link is in queue if it had a value when it was last looked at, and only then is it ready;
//   - while a receiver waits, queue is empty: deliver assigns values as long as there are both;
//   - len(links) ≤ dialed, and they differ by the links that the port does not know yet.
type Port[T any] struct {
	anchor   fiber.Anchor
	island   *Island
	capacity int
	transfer func(*T) T // nil: a copy is enough

	receivers waitq.Queue[T] // waiting; assigned: those with values that they have not collected
	links     []*link[T]     // of senders that are not done
	queue     linkQueue[T]   // of links that have a value, in their turns
	ending    bool           // Close or Seal was called: check whether the port has ended
	onArrival func()         // of a bridge: there may be something to receive, or the end
	onLost    func(T)
	lost      uint64
	// cause is why the first sender ended that did not just close. Err returns one cause, so later
	// ones are dropped.
	cause error

	// Senders on other islands read and write these when they dial and when they are refused.
	// A send takes no lock.
	mu sync.Mutex
	// dialed counts the links that were admitted and are not removed. A link is counted before its
	// signal is raised, so the port knows of a Sender that it has not seen, and does not end
	// under it.
	dialed  int
	sealed  bool   // no more senders
	closed  bool   // no more values; never reset
	downErr error  // why it is closed, if not by Close: the island has left, or its bridge has failed
	name    string // in the registry; never changes
}

var _ portEnd = (*Port[int])(nil)

// maxCapacity bounds the ring of each Sender, which is allocated as a whole: a mistyped capacity
// must be an error of Open and not exhaust the memory at the first Dial.
const maxCapacity = 1 << 24

// Open opens a port of the island under a name of the registry. capacity is how many values
// each Sender may have sent that are not received, from 1 to 2^24, rounded up to a power of
// two; the memory for them is allocated by Dial. T says how its values are transferred: it is
// a Mover or a Cloner, or it has no pointers; else the error is ErrShared. The owner calls it.
// Errors: ErrTaken, ErrDown, ErrRequest if the capacity is too large.
func Open[T any](i *Island, name string, capacity int) (*Port[T], error) {
	given("Open", i != nil, "the island that receives")
	transfer, err := transferOf[T]()
	switch {
	case err != nil:
		return nil, err
	case capacity > maxCapacity:
		return nil, fmt.Errorf("%w: port %q: capacity %d is more than %d", ErrRequest, name, capacity, maxCapacity)
	case i.stopping:
		return nil, i.downError()
	}
	p := &Port[T]{island: i, capacity: max(capacity, 1), transfer: transfer, name: name}
	// From addPort on other islands can dial the port. Their links wait in signals until the owner,
	// which is busy here, serves the island.
	if err := i.reg.addPort(name, p); err != nil {
		return nil, err
	}
	i.ends = append(i.ends, p)
	return p, nil
}

// addPort makes the port known by its name. All ports of a registry share one name space, whatever
// their island and element type.
func (r *Registry) addPort(name string, p any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ports[name] != nil {
		return fmt.Errorf("%w: the port name %q", ErrTaken, name)
	}
	r.ports[name] = p
	return nil
}

// removePort frees the name. The port's close calls it once, so it cannot remove a later port of
// the same name.
func (r *Registry) removePort(name string) {
	r.mu.Lock()
	delete(r.ports, name)
	r.mu.Unlock()
}

// findPort returns the port if its element type is T. A port of another type counts as unknown:
// names may come from configuration, so a mismatch must be an error and never a failed assertion.
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

// Name is the name that the port was opened under. Any goroutine may call it.
func (p *Port[T]) Name() string { return p.name }

func (p *Port[T]) title() string { return fmt.Sprintf("port %q", p.name) }

// admit counts a new link, or refuses it. The sender's owner calls it, so only fields under mu may
// be used. After it has returned nil the port cannot end before it has seen that link.
func (p *Port[T]) admit() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.downErr
	switch {
	case err != nil:
	case p.closed:
		err = wait.ErrClosed
	case p.sealed:
		err = ErrSealed
	default:
		p.dialed++
		return nil
	}
	return &wait.Error{Op: "dial", Object: p.title(), Err: err}
}

// handleLink looks at a link whose signal was raised: for the first time when it is dialed, then for
// values, and at last when its sender closes. The signals of one link are combined, so a single call
// may have to do all three.
func (p *Port[T]) handleLink(l *link[T]) {
	switch {
	case l.index == linkRemoved:
		return // its sender raised the signal once more when it closed
	case p.island.left:
		l.closePort()
		return
	}
	if l.index == 0 {
		p.links = append(p.links, l)
		l.index = len(p.links)
		// close has closed only the links that were known then. The sender may have put a value in
		// before it learns of the end; that value is still received.
		if p.isClosed() {
			l.closePort()
		}
	}
	if !l.ready {
		p.enqueue(l)
	}
	p.deliver()
	if l.index != linkRemoved {
		p.island.startPolling(&l.news)
	}
}

// enqueue puts a link into the queue if it has a value, and removes it if it never will. done
// is read before the ring: a sender stores its values before it sets done. In the other order a
// value that is put in between the two reads, followed by done, would be lost with the link.
func (p *Port[T]) enqueue(l *link[T]) {
	done := l.done.Load()
	switch {
	case !l.empty():
		l.ready = true
		p.queue.push(l)
	case done:
		p.remove(l)
	}
}

// next takes the oldest value of the sender whose turn it is. Its link then goes to the back of the
// queue, so no sender waits for more than one value of each other sender.
func (p *Port[T]) next() (v T, ok bool) {
	l := p.queue.pop()
	if l == nil {
		return v, false
	}
	v, ok = l.take()
	l.ready = false
	p.enqueue(l)
	return v, ok
}

// remove forgets a link that is done and drained. The last link takes its place in the list, so a
// removal costs the same however many senders there are. Their turns do not change by it: those are
// in queue.
func (p *Port[T]) remove(l *link[T]) {
	last := p.links[len(p.links)-1]
	p.links[l.index-1], last.index = last, l.index
	l.index = linkRemoved
	p.island.stopPolling(&l.news)
	p.links[len(p.links)-1] = nil // not kept alive
	p.links = p.links[:len(p.links)-1]
	if p.cause == nil {
		p.cause = l.cause
	}
	p.mu.Lock()
	p.dialed--
	p.mu.Unlock()
}

// deliver gives the waiting receivers what has arrived, oldest receiver first, or tells them that
// nothing will arrive. A value is assigned when it is matched (I11): from then on it is the
// receiver's, also if another fiber asks before the receiver runs.
//
// All values are assigned before the end is announced: ended is false while a ring has one. In a
// deadlock the end is not announced at all, because it is a consequence of the deadlock: the other
// islands have left.
func (p *Port[T]) deliver() {
	if p.onArrival != nil {
		p.onArrival()
	}
	for p.receivers.Waiting() > 0 {
		v, ok := p.next()
		if !ok {
			break
		}
		t, tag, _ := p.receivers.Match(v)
		p.wake(t, fiber.OK, tag)
	}
	for p.receivers.Waiting() > 0 && p.ended() && !p.endIsDeadlock() {
		t, tag, _, _ := p.receivers.Pop()
		p.wake(t, fiber.Closed, tag)
	}
}

// wake applies a result to a receiver. The port has taken it off its queue before, so the scheduler
// has nothing to withdraw here.
func (p *Port[T]) wake(t fiber.Ticket, code fiber.Code, tag uint32) {
	p.island.core.Apply(fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: code, Value: tag}})
}

// ended tells whether nothing can arrive any more: all senders are known, none can send or has
// a value in its ring, and no more can be opened. ending is checked first: as long as the port is
// open, which is nearly always, the answer costs no lock and no look at the senders' lines.
//
// Once ending is set no link is admitted, and dialed only decreases. So the answer true is final.
func (p *Port[T]) ended() bool {
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
	return p.dialed == len(p.links)
}
