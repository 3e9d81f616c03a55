package island

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// replier is told how a command ended, once, by the owner of the island it was sent to.
type replier interface {
	reply(id fiber.ID, err error)
}

// Request sends a command for a fiber of this island, which waits for the answer as for
// any operation: tok completes with Value the ID of a spawned fiber and Err why the command
// was refused. It is always answered, by a *DownError if the island it was sent to ends
// first. The owner calls it, as the start of an operation. Errors: ErrUnknown, ErrFull,
// ErrDown; then nothing was sent.
func (i *Island) Request(tok fiber.Token, cmd Command) error {
	to, err := i.reg.At(cmd.To)
	if err != nil {
		return err
	}
	r := i.newRequest(tok)
	if err := to.send(letter{cmd: cmd, reply: r}); err != nil {
		i.idle = append(i.idle, r)
		return err
	}
	i.pending++
	return nil
}

// request is an answer that is waited for. It is the asking island's; the island that is
// asked fills it in and rings.
type request struct {
	bell
	tok fiber.Token
	id  fiber.ID
	err error
}

// newRequest takes one that is not in use, so that asking allocates nothing for long.
func (i *Island) newRequest(tok fiber.Token) *request {
	if last := len(i.idle) - 1; last >= 0 {
		r := i.idle[last]
		i.idle = i.idle[:last]
		r.tok = tok
		return r
	}
	r := &request{tok: tok}
	r.of, r.bell.serve = i, r.answered
	return r
}

func (r *request) reply(id fiber.ID, err error) {
	r.id, r.err = id, err
	r.ring()
}

// answered completes the operation. If its fiber waits no more, nobody takes the answer.
func (r *request) answered() {
	i, done := r.of, ioqueue.Completion{Err: r.err}
	if r.err == nil && r.id != 0 {
		done.Value = r.id
	}
	tok := r.tok
	r.id, r.err = 0, nil
	i.idle = append(i.idle, r)
	i.pending--
	if !i.left {
		i.core.Ops().Complete(tok, done)
	}
}

// Do sends a command from a goroutine that is no island's and waits for the answer: the
// fiber that was spawned, woken or cancelled. Errors: as Request, the island's refusal, and
// ctx's; the command may yet be carried out then.
func (i *Island) Do(ctx context.Context, cmd Command) (fiber.ID, error) {
	if cmd.To != i.addr {
		return 0, fmt.Errorf("%w: the command is for %v, this is %v", ErrRequest, cmd.To, i.addr)
	}
	c := make(call, 1)
	if err := i.send(letter{cmd: cmd, reply: c}); err != nil {
		return 0, err
	}
	select {
	case a := <-c:
		return a.id, a.err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// Post sends a command whose answer nobody wants, from any goroutine. Errors: ErrFull,
// ErrDown, ErrUnknown if it is for another island.
func (i *Island) Post(cmd Command) error {
	if cmd.To != i.addr {
		return fmt.Errorf("%w: the command is for %v, this is %v", ErrUnknown, cmd.To, i.addr)
	}
	return i.send(letter{cmd: cmd})
}

// call is a goroutine that waits for an answer.
type call chan answer

type answer struct {
	id  fiber.ID
	err error
}

func (c call) reply(id fiber.ID, err error) { c <- answer{id, err} }
