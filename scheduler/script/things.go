package script

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// thing finds what a name of the kind was given to. How is the command that makes one.
func thing[T any](a *args, what, how string) (found T) {
	name := a.word("the name of " + what)
	if a.err != "" {
		return found
	}
	found, ok := a.w.names[name].(T)
	switch had := a.w.names[name]; {
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
	case *party:
		if v.id.IsTrampoline() {
			return "a trampoline"
		}
		return "a fiber"
	case *channel:
		return "a channel"
	case *lock:
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

func (a *args) channel() *channel { return thing[*channel](a, "a channel", "chan NAME") }
func (a *args) mutex() *lock      { return thing[*lock](a, "a mutex", "mutex NAME") }

// fiber reads a fiber of either pool: a name, or an ID as f0.1 or t0.1, forged or true.
func (a *args) fiber() fiber.ID {
	s := a.word("a fiber")
	if a.err != "" {
		return 0
	}
	id, ok := a.w.idOf(s)
	if !ok {
		a.fail("%q is no fiber; want a name given by spawn or acquire, or an ID like f0.1", s)
	}
	return id
}

func (w *world) idOf(s string) (fiber.ID, bool) {
	if p, ok := w.names[s].(*party); ok {
		return p.id, true
	}
	id, err := fiber.ParseID(s)
	return id, err == nil
}

// ticket reads a name given by arm, or a ticket in full, forged or true: FIBER#WAIT,
// or FIBER#SCHEDULER/WAIT for one of another scheduler.
func (a *args) ticket() fiber.Ticket {
	s := a.word("a ticket")
	if a.err != "" {
		return fiber.Ticket{}
	}
	t, ok := a.w.ticketOf(s)
	if !ok {
		a.fail("%q is no ticket; want a name given by arm … as, or FIBER#WAIT as in a#1", s)
	}
	return t
}

func (w *world) ticketOf(s string) (t fiber.Ticket, ok bool) {
	if t, ok = w.names[s].(fiber.Ticket); ok {
		return t, true
	}
	who, wait, cut := strings.Cut(s, "#")
	number := w.s.Inspect().Number()
	if from, rest, foreign := strings.Cut(wait, "/"); foreign {
		n, err := strconv.ParseUint(from, 10, 16)
		if err != nil {
			return t, false
		}
		number, wait = uint16(n), rest
	}
	id, known := w.idOf(who)
	n, err := strconv.ParseUint(wait, 10, 48)
	return fiber.Ticket{ID: id, Seq: fiber.NewSeq(number, n)}, cut && known && err == nil
}

// token reads a name given by submit, or a number, forged or true.
func (a *args) token() fiber.Token {
	s := a.word("an operation")
	if op, ok := a.w.names[s].(*operation); ok || a.err != "" {
		if ok {
			return op.token
		}
		return 0
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		a.fail("%q is no operation; want a name given by submit, or a number", s)
	}
	return fiber.Token(n)
}

// code reads how a delivery ends the wait; ok if nothing is said.
func (a *args) code() fiber.Code {
	if !a.more() {
		return fiber.OK
	}
	switch s := a.word("a code"); s {
	case "ok":
		return fiber.OK
	case "closed":
		return fiber.Closed
	case "failed":
		return fiber.Failed
	default:
		a.fail("%q is no code; want ok, closed or failed", s)
	}
	return 0
}

// value reads an optional result: nothing, a value, or error TEXT.
func (a *args) value() (value any, err error) {
	switch {
	case !a.more():
		return nil, nil
	case a.is("error"):
		return nil, guestError(a.word("the text of the error"))
	}
	return a.word("a value"), nil
}

// guestError is an error a script makes up.
type guestError string

func (e guestError) Error() string { return string(e) }

// answer is a result in an output.
func answer(value any, err error) string {
	if c, ok := value.(ioqueue.Completion); ok {
		value = c.Value // in a cell that an operation was attached to
	}
	switch {
	case err != nil:
		return fmt.Sprintf("error %s", transcript.Show(err))
	case value == nil:
		return "nothing"
	}
	return transcript.Show(value)
}

// cause reads an optional cause of a cancel or kill.
func (a *args) cause() error {
	if !a.more() {
		return nil
	}
	return guestError(a.rest())
}
