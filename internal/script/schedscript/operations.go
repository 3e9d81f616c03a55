package schedscript

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// operation is an asynchronous operation under its name.
type operation struct {
	name  string
	token fiber.Token
	owner string
}

func (o *operation) Describe() string        { return fmt.Sprintf("%s: operation of %s", o.name, o.owner) }
func (o *operation) Holds(fiber.Ticket) bool { return false }

func (w *world) cmdSubmit(name string) {
	tok, err := w.s.Ops().Submit()
	if err != nil {
		w.deny(err)
		// The queue counts what it refuses at its limit, so the refusal changes that count.
		w.refused = !errors.Is(err, ioqueue.ErrFull)
		return
	}
	op := &operation{name: name, token: tok, owner: w.id(w.s.Current())}
	w.named[name] = op
	w.objects = append(w.objects, op)
	w.answer("%s", op.Describe())
}

// completion reads the wait for the end of an operation.
func (a *args) completion() fiber.Reason { return a.by(fiber.OnIO(a.token())) }

func (w *world) cmdAwait(r fiber.Reason) {
	if p := w.waiter(); p != nil {
		w.suspend(p, r, unregistered, w.collectsToken(r))
	}
}

// collectsToken is the end of a wait that has nothing but a reason: for an operation, it collects
// the completion.
func (w *world) collectsToken(r fiber.Reason) ending {
	if r.Kind != fiber.IO {
		return nil
	}
	return func(t fiber.Ticket, res fiber.Result) string {
		if res.Code != fiber.OK {
			return w.plain(t.ID, res)
		}
		return "ok: " + w.taken(r.Token)
	}
}

// taken collects a completion and says what it was.
func (w *world) taken(tok fiber.Token) string {
	done, ok := w.s.Ops().Completion(tok)
	if !ok {
		return fmt.Sprintf("%s has no completion to take", w.token(tok))
	}
	return fmt.Sprintf("%s came with %s", w.token(tok), answer(done.Value, done.Err))
}

func (w *world) cmdTake(tok fiber.Token) { w.answer("%s", w.taken(tok)) }

// operationOrCell reads what ends: a *cell or a fiber.Token.
func (a *args) operationOrCell() any {
	if c, ok := peek[*cell](a); ok {
		return c
	}
	return a.token()
}

func (w *world) cmdComplete(target any, end ioqueue.Completion) {
	c, ok := target.(*cell)
	if !ok {
		tok := target.(fiber.Token)
		v := w.s.Ops().Complete(tok, end)
		w.answer("%s %v", w.token(tok), v)
		return
	}
	ups, err := c.Complete(end.Value, end.Err, nil)
	w.wake(ups...)
	w.answerUnless(err, "%s", c.name)
}

func (w *world) cmdAttach(tok fiber.Token, c *cell) {
	w.answerUnless(w.s.Ops().Attach(tok, &c.Cell), "%s to %s", w.token(tok), c.name)
}

func (w *world) cmdCancellations() {
	tokens := w.s.Ops().Cancellations(nil)
	if len(tokens) == 0 {
		w.answer("none")
	}
	for _, tok := range tokens {
		w.answer("%s", w.token(tok))
	}
}

// dropped is the hook for completions that no fiber will collect.
func (w *world) dropped(tok fiber.Token, c ioqueue.Completion) {
	w.tell("dropped: %s came with %s", w.token(tok), answer(c.Value, c.Err))
}
