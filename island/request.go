package island

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// replier receives the answer to a command, once, from the owner of the island that the
// command was sent to. reply must not block and must not touch the scheduler of the island that
// asked: it runs on another goroutine.
type replier interface {
	reply(id fiber.ID, err error)
}

// Request sends a command for a fiber of this island, which waits for the answer as for any
// operation: tok completes with the ID of the spawned, woken or cancelled fiber as Value, or
// with why the command was refused as Err, a *DownError if the island that it was sent to ended
// first. The owner calls it, as the start of an operation. Errors: ErrUnknown, ErrFull,
// ErrDown; then nothing was sent.
func (i *Island) Request(tok fiber.Token, cmd Command) error {
	to, err := i.reg.at(cmd.to)
	if err != nil {
		return err
	}
	r := i.newRequest(tok)
	if err := to.send(message{cmd: cmd, reply: r}); err != nil {
		// The other island has never seen r. The token is still the caller's to complete.
		i.freeRequests = append(i.freeRequests, r)
		return err
	}
	return nil
}

// request is a command that waits for its answer. It belongs to the island that asks, except
// between the sending and the answer, when the other island fills it in. The mailbox hands it over
// in the one direction, its signal in the other. Every request that was sent is answered: by
// readMail, or by refuseMail if the island leaves.
type request struct {
	signal
	tok fiber.Token
	id  fiber.ID
	err error
}

// newRequest reuses requests, so that a steady rate of them does not allocate. Only complete and a
// failed Request put one back, when no other goroutine can reach it any more.
func (i *Island) newRequest(tok fiber.Token) *request {
	if last := len(i.freeRequests) - 1; last >= 0 {
		r := i.freeRequests[last]
		i.freeRequests = i.freeRequests[:last]
		r.tok = tok
		return r
	}
	r := &request{tok: tok}
	r.owner, r.handle = i, r.complete
	return r
}

// reply is called by the owner of the island that was asked. Its writes happen before the asking
// owner reads them, because raising the signal is an atomic step between them.
func (r *request) reply(id fiber.ID, err error) {
	r.id, r.err = id, err
	r.raise()
}

// complete ends the operation. If its fiber has stopped waiting, the answer is dropped: the command
// was carried out all the same. After the island has left, the scheduler may be closed, so the
// answer only frees the request.
func (r *request) complete() {
	i, done := r.owner, ioqueue.Completion{Err: r.err}
	if r.err == nil && r.id != 0 {
		done.Value = r.id
	}
	tok := r.tok
	r.id, r.err = 0, nil
	i.freeRequests = append(i.freeRequests, r)
	if !i.left {
		i.core.Ops().Complete(tok, done)
	}
}

func mustHaveContext(call string, ctx context.Context) {
	if ctx == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Idle, Fix: call + " has no context: pass context.Background() to wait without a limit"})
	}
}

// Do sends a command to this island and waits for the answer: the fiber that was spawned,
// woken or cancelled. It is for goroutines that own no island. Errors: those of Request, the
// refusal, and ctx's cause; after that the command may still be carried out.
func (i *Island) Do(ctx context.Context, cmd Command) (fiber.ID, error) {
	mustHaveContext("Do", ctx)
	if cmd.to != i.addr {
		return 0, fmt.Errorf("%w: the command is for %v, this is %v", ErrRequest, cmd.to, i.addr)
	}
	c := make(call, 1)
	if err := i.send(message{cmd: cmd, reply: c}); err != nil {
		return 0, err
	}
	select {
	case a := <-c:
		return a.id, a.err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// Post sends a command to this island without waiting for an answer. Any goroutine may call
// it. Errors: ErrFull, ErrDown, and ErrUnknown if the command is for another island.
func (i *Island) Post(cmd Command) error {
	if cmd.to != i.addr {
		return fmt.Errorf("%w: the command is for %v, this is %v", ErrUnknown, cmd.to, i.addr)
	}
	return i.send(message{cmd: cmd})
}

// call is a goroutine that waits for an answer. It has room for the one answer, so that the
// island never blocks, and an answer after ctx's end is left to the garbage collector.
type call chan answer

type answer struct {
	id  fiber.ID
	err error
}

func (c call) reply(id fiber.ID, err error) { c <- answer{id, err} }
