package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/wait"
)

// TryRecv takes the oldest value of the sender whose turn it is, if there is one. Closed:
// none will ever come (Err).
func (p *Port[T]) TryRecv() (v T, status wait.Status) {
	if v, ok := p.next(); ok {
		return v, wait.Received
	}
	if p.over() {
		return v, wait.Closed
	}
	return v, wait.Empty
}

// ParkRecv registers a receiver that TryRecv has just told it would block. The wait ends
// with OK when a value was assigned (Collect takes it) and with Closed when none will
// come. The tag comes back as Result.Value. Errors: wait.ErrForeign, wait.ErrReady.
func (p *Port[T]) ParkRecv(t fiber.Ticket, tag uint32) error {
	if err := p.mayRecv(t); err != nil {
		return err
	}
	p.park(t, tag)
	return nil
}

func (p *Port[T]) park(t fiber.Ticket, tag uint32) {
	var none T
	if !p.recvs.Push(t, tag, none) {
		panic(late("receive", p.title(), t))
	}
}

func (p *Port[T]) mayRecv(t fiber.Ticket) error {
	switch {
	case !p.Anchored().Bind(t.Scheduler()) || t.Scheduler() != p.isle.Number():
		return &wait.Error{Op: "receive", Object: p.title(), By: t.ID, Err: wait.ErrForeign}
	case p.recvReady():
		return &wait.Error{Op: "receive", Object: p.title(), By: t.ID, Err: wait.ErrReady}
	}
	return nil
}

func (p *Port[T]) recvReady() bool { return p.line.first != nil || p.over() }

// Collect takes the value assigned to a receiver whose wait ended with OK.
func (p *Port[T]) Collect(t fiber.Ticket) (v T, ok bool) {
	v, _, ok = p.recvs.Collect(t)
	return v, ok
}

// Withdraw removes the ticket.
func (p *Port[T]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	p.recvs.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (p *Port[T]) Holds(t fiber.Ticket) bool { return p.recvs.Holds(t) }

// Forfeit gives up the value assigned to a receiver that died before it collected: it is
// counted and handed to the hook (I12).
func (p *Port[T]) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if v, ok := p.recvs.Forfeit(t); ok {
		p.lose(v)
	}
	return dst
}

func (p *Port[T]) lose(v T) {
	p.lost++
	if p.onLost != nil {
		p.onLost(v)
	}
}

// OnLost sets the hook that gets a value whose receiver died before it collected, and at an
// imported port those that were accepted and not yet on their way when it closed because the
// other side takes no more. Whether what was on its way has arrived is not known.
func (p *Port[T]) OnLost(hook func(T)) { p.onLost = hook }

// Lost counts those values, hook or not.
func (p *Port[T]) Lost() uint64 { return p.lost }

// Waiting counts the receivers that wait.
func (p *Port[T]) Waiting() int { return p.recvs.Waiting() }

// Describe is for reports.
func (p *Port[T]) Describe() string {
	return fmt.Sprintf("%s (senders: %d, receivers waiting: %d)", p.title(), len(p.links), p.recvs.Waiting())
}

// Holders appends nobody: whoever sends may be on another island.
func (p *Port[T]) Holders(dst []fiber.ID) []fiber.ID { return dst }

func (p *Port[T]) title() string { return fmt.Sprintf("port %q", p.Name()) }

// late is the panic of a host that parks a ticket which it armed before another.
func late(op, object string, t fiber.Ticket) *wait.ContractError {
	return &wait.ContractError{Rule: rule.I11, Op: op, Object: object, Ticket: t,
		Fix: "the ticket is zero or older than one parked here before; park right after its Arm"}
}

// awaited: who could send is on another island, or beyond a bridge, or may yet come.
func (p *Port[T]) awaited() bool {
	if p.recvs.Waiting() == 0 || len(p.isle.bridges) > 0 {
		return p.recvs.Waiting() > 0
	}
	all, known := p.upon(nil)
	return !known || len(all) > 0
}

// upon are the other islands that have a Sender to this port, or could open one.
func (p *Port[T]) upon(dst []*Island) (all []*Island, known bool) {
	if p.recvs.Waiting() == 0 {
		return dst, true
	}
	p.mu.Lock()
	closed, strangers := p.sealed || p.shut, p.arrived > len(p.links)
	p.mu.Unlock()
	if strangers || !closed && !p.isle.reg.isSealed() {
		return dst, false
	}
	if !closed {
		dst = append(dst, p.isle.others()...)
	}
	for _, l := range p.links { // also of islands that have left, until what they sent has been seen
		if l.from != p.isle {
			dst = append(dst, l.from)
		}
	}
	return dst, true
}
