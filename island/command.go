package island

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// kind is what a Command asks for. Its values are part of the wire format: add only at the end.
type kind uint8

const (
	kindSpawn    kind = iota + 1 // start the program name with body as its arguments
	kindWake                     // deliver result to ticket
	kindCancel                   // cancel the fiber id; body is the cause
	kindShutdown                 // end the island; body is the cause
)

var kindNames = [...]string{"none", "spawn", "wake", "cancel", "shutdown"}

func (k kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid command"
}

// Command is what one island asks of another, made by Spawn, Wake, Cancel or Shutdown. It can
// be sent as bytes (AppendTo, ParseCommand). The receiver trusts none of it. It is a value without
// behavior, so it can be sent again; each sending is carried out by itself.
type Command struct {
	kind   kind
	to     Address
	id     fiber.ID
	ticket fiber.Ticket
	result fiber.Result
	name   string
	body   []byte
}

// Spawn asks for a fiber that runs a program of the island's Config.Programs. The answer is
// the ID of the fiber. The command keeps args.
func Spawn(to Address, program string, args []byte) Command {
	return Command{kind: kindSpawn, to: to, name: program, body: args}
}

// Wake asks to deliver the result to a ticket of that island. A Code other than OK, Closed
// and Failed counts as Failed: the others are the scheduler's own to decide. The answer is the ID of
// the fiber, or ErrStale if that wait has ended. Islands run in parallel, so a late wake is usual,
// and changes nothing (I3).
func Wake(to Address, t fiber.Ticket, r fiber.Result) Command {
	if r.Code < fiber.OK || r.Code > fiber.Failed {
		r = fiber.Result{Code: fiber.Failed}
	}
	return Command{kind: kindWake, to: to, ticket: t, result: r}
}

// Cancel asks to cancel a fiber of that island; the cause becomes the text of the error. It is an
// error of another island, so errors.Is finds nothing in it. The answer says that the cancellation
// is pending or delivered, not that the fiber has ended.
func Cancel(to Address, id fiber.ID, cause string) Command {
	return Command{kind: kindCancel, to: to, id: id, body: []byte(cause)}
}

// Shutdown asks the island to end; the cause becomes the text of the error. The answer comes when
// the end has begun: the fibers then still unwind. Handle.Wait waits for the rest.
func Shutdown(to Address, cause string) Command {
	return Command{kind: kindShutdown, to: to, body: []byte(cause)}
}

// execute carries a command out, on the owner's goroutine between slices. The command may come from
// another process, so nothing in it is trusted: the address must be that of this incarnation, and
// the scheduler checks tickets and IDs. After an error nothing has changed.
func (i *Island) execute(cmd *Command) (id fiber.ID, err error) {
	if cmd.to != i.addr {
		return 0, fmt.Errorf("%w: the command is for %v, this is %v", ErrUnknown, cmd.to, i.addr)
	}
	switch cmd.kind {
	case kindSpawn:
		return i.spawn(cmd.name, cmd.body)
	case kindWake:
		if d := i.core.Deliver(cmd.ticket, cmd.result); !d.Accepted() {
			return 0, &staleTicket{cmd.ticket, d}
		}
		return cmd.ticket.ID, nil
	case kindCancel:
		if err := i.core.Cancel(cmd.id, errors.New(string(cmd.body))); err != nil {
			return 0, fmt.Errorf("%w (%v: %w)", ErrStale, cmd.id, err)
		}
		return cmd.id, nil
	case kindShutdown:
		i.stop(errors.New(string(cmd.body)))
		return 0, nil
	}
	return 0, fmt.Errorf("%w: a Command must be made by Spawn, Wake, Cancel or Shutdown", ErrRequest)
}

// spawn refuses while the island is stopping: a new fiber would be killed at once. The program's
// name and arguments come from outside; the function that they select is the host's own.
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

// staleTicket is an ErrStale whose text is made only when it is read: late wakes are frequent, and
// their senders rarely look at the answer.
type staleTicket struct {
	ticket  fiber.Ticket
	outcome fiber.Delivery
}

func (e *staleTicket) Error() string {
	return fmt.Sprintf("%v (%v: %v)", ErrStale, e.ticket, e.outcome)
}

func (e *staleTicket) Unwrap() error { return ErrStale }
