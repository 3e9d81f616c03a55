package schedscript

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// named reads the name of a thing of the kind T. How is the command that makes one.
func named[T any](a *args, what, how string) (found T) {
	name := a.word("the name of " + what)
	found, ok := a.w.named[name].(T)
	switch had := a.w.named[name]; {
	case ok:
	case had != nil:
		a.fail("%s is %s; want %s, made with: %s", name, kindOf(had), what, how)
	default:
		a.fail("%q names nothing; make %s with: %s", name, what, how)
	}
	return found
}

func kindOf(v any) string {
	switch v := v.(type) {
	case *member:
		if v.id.IsTrampoline() {
			return "a trampoline"
		}
		return "a fiber"
	case *channel:
		return "a channel"
	case *mutex:
		return "a mutex"
	case *cell:
		return "a cell"
	case *operation:
		return "an operation"
	case fiber.Ticket:
		return "a ticket"
	case *scheduler.Sender:
		return "a sender"
	}
	return "something else"
}

func (a *args) channel() *channel { return named[*channel](a, "a channel", "chan NAME") }
func (a *args) mutex() *mutex     { return named[*mutex](a, "a mutex", "mutex NAME") }
func (a *args) cell() *cell       { return named[*cell](a, "a cell", "cell NAME") }

// peek is the thing that the next word names, if it is of the kind T; then the word is read.
func peek[T any](a *args) (found T, ok bool) {
	if a.more() {
		if found, ok = a.w.named[a.words[0]].(T); ok {
			a.words = a.words[1:]
		}
	}
	return found, ok
}

// fiber reads a fiber of either pool: a name, or an ID as f0.1 or t0.1, which may be forged.
func (a *args) fiber() fiber.ID {
	s := a.word("a fiber")
	id, ok := a.w.idOf(s)
	if !ok {
		a.fail("%q is no fiber; want a name given by spawn or acquire, or an ID like f0.1", s)
	}
	return id
}

func (w *world) idOf(s string) (fiber.ID, bool) {
	if p, ok := w.named[s].(*member); ok {
		return p.id, true
	}
	id, err := fiber.ParseID(s)
	return id, err == nil
}

// ticket reads a name given by arm, or a ticket in full, which may be forged: FIBER#WAIT, or
// FIBER#SCHEDULER/WAIT for a ticket of another scheduler.
func (a *args) ticket() fiber.Ticket {
	s := a.word("a ticket")
	t, ok := a.w.ticketOf(s)
	if !ok {
		a.fail("%q is no ticket; want a name given by arm … as, or FIBER#WAIT as in a#1", s)
	}
	return t
}

func (w *world) ticketOf(s string) (t fiber.Ticket, ok bool) {
	if t, ok = w.named[s].(fiber.Ticket); ok {
		return t, true
	}
	owner, wait, cut := strings.Cut(s, "#")
	number := w.s.Inspect().Number()
	if from, rest, foreign := strings.Cut(wait, "/"); foreign {
		n, err := strconv.ParseUint(from, 10, 16)
		if err != nil {
			return t, false
		}
		number, wait = uint16(n), rest
	}
	id, known := w.idOf(owner)
	n, err := strconv.ParseUint(wait, 10, 48)
	return fiber.Ticket{ID: id, Seq: fiber.NewSeq(number, n)}, cut && known && err == nil
}

// token reads a name given by submit, or a number, which may be forged.
func (a *args) token() fiber.Token {
	s := a.word("an operation")
	if op, ok := a.w.named[s].(*operation); ok {
		return op.token
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		a.fail("%q is no operation; want a name given by submit, or a number", s)
	}
	return fiber.Token(n)
}

// code reads how a delivery ends the wait; ok if the script does not say.
func (a *args) code() fiber.Code {
	if !a.more() {
		return fiber.OK
	}
	s := a.word("a code")
	code, ok := map[string]fiber.Code{"ok": fiber.OK, "closed": fiber.Closed, "failed": fiber.Failed}[s]
	if !ok {
		a.fail("%q is no code; want ok, closed or failed", s)
	}
	return code
}

// result reads an optional result: nothing, a value, or error TEXT.
func (a *args) result() (c ioqueue.Completion) {
	switch {
	case !a.more():
	case a.is("error"):
		c.Err = guestError(a.word("the text of the error"))
	default:
		c.Value = a.word("a value")
	}
	return c
}

// answer is a result in an output.
func answer(value any, err error) string {
	if c, ok := value.(ioqueue.Completion); ok {
		value = c.Value // in a cell that an operation was attached to
	}
	switch {
	case err != nil:
		return fmt.Sprintf("error %s", script.Show(err))
	case value == nil:
		return "nothing"
	}
	return script.Show(value)
}
