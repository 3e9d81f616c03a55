package script

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

func cmdSubmit(w *world, a *args) {
	name := a.fresh("an operation")
	if !a.done() {
		return
	}
	tok, err := w.s.Ops().Submit()
	if err != nil {
		w.deny("submit", err)
		// The queue counts what it refuses at its limit.
		w.refused = !errors.Is(err, ioqueue.ErrFull)
		return
	}
	op := &operation{name: name, token: tok, owner: w.id(w.s.Current())}
	w.names[name] = op
	w.objects = append(w.objects, op)
	w.say("submit: %s", op.Describe())
}

// dropped is told of completions nobody will take.
func (w *world) dropped(tok fiber.Token, c ioqueue.Completion) {
	w.aside("dropped: %s came with %s", w.token(tok), answer(c.Value, c.Err))
}
