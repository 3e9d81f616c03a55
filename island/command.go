package island

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Kind is what a Command asks for.
type Kind uint8

const (
	// SpawnFiber starts the program Name with Body as its arguments; the answer is its ID.
	SpawnFiber Kind = iota + 1
	// WakeFiber delivers Result to Ticket.
	WakeFiber
	// Cancel cancels Fiber; Body is the cause in words.
	Cancel
	// Shutdown ends the island; Body is the cause in words.
	Shutdown
)

var kindNames = [...]string{"none", "spawn", "wake", "cancel", "shutdown"}

// String is the lower-case name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid command"
}

// Command is what one island asks of another, a value that can be sent as bytes
// (AppendTo). Only the fields of its Kind mean anything. Whoever gets it checks
// everything: it may have been made by anybody.
type Command struct {
	Kind   Kind
	To     Address
	Fiber  fiber.ID
	Ticket fiber.Ticket
	Result fiber.Result
	Name   string
	Body   []byte
}

// Spawn asks for a fiber that runs the island's program of that name.
func Spawn(to Address, program string, args []byte) Command {
	return Command{Kind: SpawnFiber, To: to, Name: program, Body: args}
}

// Wake asks to deliver the result to a ticket of that island. A Code other than OK,
// Closed and Failed is Failed.
func Wake(t Ticket, r fiber.Result) Command {
	if r.Code < fiber.OK || r.Code > fiber.Failed {
		r = fiber.Result{Code: fiber.Failed}
	}
	return Command{Kind: WakeFiber, To: t.At, Ticket: t.Ticket, Result: r}
}

// CancelFiber asks to cancel the fiber, for a cause given in words.
func CancelFiber(id ID, cause string) Command {
	return Command{Kind: Cancel, To: id.At, Fiber: id.Fiber, Body: []byte(cause)}
}

// ShutDown asks the island to end, for a cause given in words.
func ShutDown(to Address, cause string) Command {
	return Command{Kind: Shutdown, To: to, Body: []byte(cause)}
}

// carryOut does what a command asks for, or says why not; then nothing has changed.
func (i *Island) carryOut(cmd *Command) (id fiber.ID, err error) {
	if cmd.To != i.addr {
		return 0, fmt.Errorf("%w: the command is for %v, this is %v", ErrUnknown, cmd.To, i.addr)
	}
	switch cmd.Kind {
	case SpawnFiber:
		return i.spawn(cmd.Name, cmd.Body)
	case WakeFiber:
		if d := i.core.Deliver(cmd.Ticket, cmd.Result); !d.Accepted() {
			return 0, &staleWake{cmd.Ticket, d}
		}
		return cmd.Ticket.ID, nil
	case Cancel:
		if err := i.core.Cancel(cmd.Fiber, errors.New(string(cmd.Body))); err != nil {
			return 0, fmt.Errorf("%w (%v: %w)", ErrStale, cmd.Fiber, err)
		}
		return cmd.Fiber, nil
	case Shutdown:
		i.stop(errors.New(string(cmd.Body)))
		return 0, nil
	}
	return 0, fmt.Errorf("%w: kind %d", ErrRequest, cmd.Kind)
}

func (i *Island) spawn(name string, args []byte) (fiber.ID, error) {
	program := i.cfg.Programs[name]
	switch {
	case program == nil:
		return 0, fmt.Errorf("%w: %q on %q", ErrProgram, name, i.cfg.Name)
	case i.stopping:
		return 0, i.downError()
	}
	id, err := program(args)
	return id.ID(), err
}

// staleWake is an ErrStale that costs no words unless somebody reads them: wakes that come
// too late are many.
type staleWake struct {
	ticket fiber.Ticket
	how    fiber.Delivery
}

func (e *staleWake) Error() string { return fmt.Sprintf("%v (%v: %v)", ErrStale, e.ticket, e.how) }
func (e *staleWake) Unwrap() error { return ErrStale }
