package spec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/spec/graph"
)

// ErrTrail reports actions that the text of the machine in Promela has no room for.
var ErrTrail = errors.New("spec: no room for it in scheduler.pml")

// Trail is the actions as a process in Promela that performs them, one after the other, on
// the machine of scheduler.pml: its first line says how to run it. Spin prints every action,
// and stops where the machine refuses one or an invariant breaks. Slots and tokens are
// numbered anew, in the order in which they come up: which they are means nothing, and the
// Promela text has room for few. The error wraps ErrTrail if it has not room enough.
func (c Config) Trail(actions []Action) (string, error) {
	t := trail{bounds: c}
	var lines strings.Builder
	for _, a := range actions {
		call, name := t.call(t.renumber(a))
		fmt.Fprintf(&lines, "\tatomic { %s; DID }\t/* ACT %s */\n", call, name)
	}
	if err := t.fits(); err != nil {
		return "", err
	}
	return fmt.Sprintf("/* spin -T %s -DTRAIL=FILE spec/scheduler.pml */\n"+
		"#define DID d_step { CHECK; SHOW SCRUB }\n\nactive proctype trail() {\n%s}\n", t.defines(), &lines), nil
}

// trail is the numbers that slots and tokens have been given.
type trail struct {
	bounds              Config
	fibers, trampolines []uint8
	tokens              []uint8
}

// number is the place of n among those that have come up.
func number(seen *[]uint8, n uint8) uint8 {
	for i, m := range *seen {
		if m == n {
			return uint8(i)
		}
	}
	*seen = append(*seen, n)
	return uint8(len(*seen) - 1)
}

func (t *trail) renumber(a Action) Action {
	switch a.Kind {
	case Spawn, WakeID, Deliver, Cancel, Kill, Acquire, MoveOut, MoveIn, Recall, Hold, Resume, Pick:
		if x := a.Slot(); x.IsTrampoline() {
			a.A = uint8(Trampoline(int(number(&t.trampolines, uint8(x.Index())))))
		} else {
			a.A = number(&t.fibers, a.A)
		}
	case IoSubmit, IoDone:
		a.A = number(&t.tokens, a.A)
	}
	return a
}

// call is the action as scheduler.pml has it. A trampoline's number is a placeholder up to
// here: it comes after those of all fibers.
func (t *trail) call(a Action) (call, name string) {
	slot := fmt.Sprint(a.A)
	if a.Slot().IsTrampoline() {
		slot = fmt.Sprintf("NF+%d", a.Slot().Index())
	}
	switch a.Kind {
	case Spawn, Deliver, MoveIn:
		return fmt.Sprintf("%v(%s, %d)", a.Kind, slot, a.B), a.String()
	case WakeID, Cancel, Kill, Acquire, IoSubmit, IoDone, MoveOut, Recall, Hold, Resume, Pick:
		return fmt.Sprintf("%v(%s)", a.Kind, slot), a.String()
	case ArmQueue, ArmIO, ArmTimer:
		if d, has := a.Deadline(); has {
			return fmt.Sprintf("%v(%d)", a.Kind, d), a.String()
		}
		return fmt.Sprintf("%v(NIL)", a.Kind), a.String()
	}
	return fmt.Sprintf("%v()", a.Kind), a.String()
}

// What the arrays of scheduler.pml have room for.
const (
	roomFibers, roomTrampolines, roomTokens, roomTickets, roomPins = 3, 2, 2, 2, 2
)

func (t *trail) fits() error {
	if len(t.fibers) <= roomFibers && len(t.trampolines) <= roomTrampolines && len(t.tokens) <= roomTokens &&
		t.bounds.Tickets <= roomTickets && t.bounds.Pins <= roomPins {
		return nil
	}
	return fmt.Errorf("%w: it takes %d fibers, %d trampolines, %d tokens and %d pins; there are %d, %d, %d and %d",
		ErrTrail, len(t.fibers), len(t.trampolines), len(t.tokens), t.bounds.Pins, roomFibers, roomTrampolines, roomTokens, roomPins)
}

func (t *trail) defines() string {
	c := t.bounds
	return fmt.Sprintf("-DNF=%d -DNT=%d -DNK=%d -DNW=%d -DND=%d -DNM=%d -DNG=%d -DNP=%d -DNA=%d -DNL=%d -DNV=%d -DNO=%d -DNE=%d -DNQ=%d -DNR=%d -DNH=%d -DNX=%d -DBUG=0",
		max(len(t.fibers), 1), max(len(t.trampolines), min(c.Pins, 1)), len(t.tokens), c.Tickets, c.Deadlines, c.Masks, graph.Count(c.Grace), c.Pins, graph.Count(c.AllNest), c.Lives,
		graph.Count(c.Moves), graph.Count(c.Outside), graph.Count(c.Lends), graph.Count(c.Fronts), graph.Count(c.Runs), graph.Count(c.Holds), graph.Count(c.Free))
}
