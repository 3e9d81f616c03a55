package island

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/island/internal/relay"
	"github.com/selvage-dev/selvage/wait"
)

// TryRecv takes the oldest value of the sender whose turn it is. Empty: there is none now.
// Closed: there will be none any more (see Err). A value that has arrived since the scheduler last
// served its devices may be found only after the next poll. The owner calls it.
func (p *Port[T]) TryRecv() (v T, status wait.Status) {
	if v, ok := p.next(); ok {
		return v, wait.Received
	}
	if p.ended() {
		return v, wait.Closed
	}
	return v, wait.Empty
}

// ParkRecv registers a receiver after TryRecv was Empty. The wait ends with OK when a value was
// assigned, which Collect takes, and with Closed when there will be none any more. The tag
// comes back as Result.Value. Errors: wait.ErrForeign, wait.ErrReady.
func (p *Port[T]) ParkRecv(t fiber.Ticket, tag uint32) error {
	if err := p.mayRecv(t); err != nil {
		return err
	}
	p.park(t, tag)
	return nil
}

// park registers a receiver that mayRecv has accepted. A ticket out of order would break the order
// of the receivers (I11); only a host that parks late can present one, hence the panic.
func (p *Port[T]) park(t fiber.Ticket, tag uint32) {
	var none T
	if !p.receivers.Push(t, tag, none) {
		panic(staleParkError("receive", p.title(), t))
	}
}

// mayRecv binds the port to its scheduler with the first receiver. It refuses the tickets of other
// schedulers: only fibers of the port's island receive. A port that is ready is refused as well:
// its links are in queue already, so nothing would wake a receiver that parks now (I9).
func (p *Port[T]) mayRecv(t fiber.Ticket) error {
	switch {
	case !p.anchor.Bind(t.Scheduler(), 0) || t.Scheduler() != p.island.addr.Island:
		return &wait.Error{Op: "receive", Object: p.title(), By: t.ID, Err: wait.ErrForeign}
	case p.recvReady():
		return &wait.Error{Op: "receive", Object: p.title(), By: t.ID, Err: wait.ErrReady}
	}
	return nil
}

// recvReady tells whether TryRecv would not return Empty.
func (p *Port[T]) recvReady() bool { return p.queue.first != nil || p.ended() }

// staleParkError is the panic for a host that parks a ticket after a newer one.
func staleParkError(op, object string, t fiber.Ticket) *wait.ContractError {
	return &wait.ContractError{Rule: rule.I11, Op: op, Object: object, Ticket: t,
		Fix: "the ticket is zero or older than one parked here before; park right after its Arm"}
}

// Collect takes the value assigned to a receiver whose wait ended with OK. It returns true once for
// each such ticket. Until then the port keeps the value; if the fiber dies, it goes to OnLost.
func (p *Port[T]) Collect(t fiber.Ticket) (v T, ok bool) {
	v, _, ok = p.receivers.Collect(t)
	return v, ok
}

// OnLost sets the hook that gets each value that was accepted and will not be received: its
// receiver died before it collected, or it was in an imported port that closed before the
// value was sent to the other side. Whether values that were sent have arrived is not known.
// The owner calls it. The hook may run in the middle of an operation of the scheduler, so it must
// not call the scheduler (ONE-OWNER) and must not panic (HOOK-RETURNS).
func (p *Port[T]) OnLost(hook func(T)) { p.onLost = hook }

// Lost counts those values, with or without a hook. The owner calls it.
func (p *Port[T]) Lost() uint64 { return p.lost }

// lose accounts for an accepted value that is not received (I12).
func (p *Port[T]) lose(v T) {
	p.lost++
	if p.onLost != nil {
		p.onLost(v)
	}
}

// awaited tells whether a receiver waits that another island, or a bridge, could wake. If only
// fibers of this island can send, it is false, and the scheduler's own verdict is exact.
func (p *Port[T]) awaited() bool {
	if p.receivers.Waiting() == 0 || len(p.island.bridges) > 0 {
		return p.receivers.Waiting() > 0
	}
	on, known := p.dependsOn(nil)
	return !known || len(on) > 0
}

// dependsOn appends the other islands that have a Sender to this port or could open one. known is
// false while a Sender has been admitted that the port has not seen: it may have sent already.
func (p *Port[T]) dependsOn(dst []*Island) (all []*Island, known bool) {
	if p.receivers.Waiting() == 0 {
		return dst, true
	}
	p.mu.Lock()
	fixed, unknownLinks := p.sealed || p.closed, p.dialed > len(p.links)
	p.mu.Unlock()
	if unknownLinks || !fixed && !p.island.reg.isSealed() {
		return dst, false
	}
	if !fixed {
		dst = append(dst, p.island.others()...)
	}
	for _, l := range p.links { // also of islands that have left: what they sent may be unread
		if l.from != p.island {
			dst = append(dst, l.from)
		}
	}
	return dst, true
}

// Source is what a fiber arms before it parks: scheduler.Core.ArmOn(p.Source()).
func (p *Port[T]) Source() fiber.Source { return (*portSource[T])(p) }

// portSource is a Port as the scheduler, and a bridge, sees it.
type portSource[T any] Port[T]

var (
	_ fiber.Assigner  = (*portSource[int])(nil)
	_ fiber.Described = (*portSource[int])(nil)
	_ relay.Port[int] = (*portSource[int])(nil)
)

// Anchored is the place for the scheduler's note.
func (s *portSource[T]) Anchored() *fiber.Anchor { return &s.anchor }

// Withdraw removes a receiver (I10). It wakes no other: a value is assigned when it arrives, so none
// was waiting for this receiver.
func (s *portSource[T]) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	s.receivers.Withdraw(t)
	return dst
}

// Holds tells whether the receiver waits here.
func (s *portSource[T]) Holds(t fiber.Ticket) bool { return s.receivers.Holds(t) }

// Forfeit loses the value assigned to a receiver that died before it collected (I12).
func (s *portSource[T]) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	v, ok := s.receivers.Forfeit(t)
	if ok {
		(*Port[T])(s).lose(v)
	}
	return dst, ok
}

// Describe is for reports. It reads the owner's fields only, nothing of the senders.
func (s *portSource[T]) Describe() string {
	return fmt.Sprintf("%s (senders: %d, receivers waiting: %d)", (*Port[T])(s).title(), len(s.links), s.receivers.Waiting())
}

// Holders appends none: the senders may be on other islands.
func (s *portSource[T]) Holders(dst []fiber.ID) []fiber.ID { return dst }

// OnArrival sets the bridge's hook.
func (s *portSource[T]) OnArrival(f func()) { s.onArrival = f }

// Lose hands a value to the hook of OnLost.
func (s *portSource[T]) Lose(v T) { (*Port[T])(s).lose(v) }

// CloseFor closes the port for a bridge.
func (s *portSource[T]) CloseFor(cause error) {
	p := (*Port[T])(s)
	if p.cause == nil {
		p.cause = cause
	}
	if p.close(cause) {
		p.island.dropEnd(p)
	}
}
