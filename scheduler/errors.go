package scheduler

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// ContractError is the panic value of a call the host must not make. The call has
// changed nothing; the host may recover and go on. The error of a fast path reads fiber, state and
// history from the scheduler when it is first asked for one of them or for its message. Ask on
// the owner's goroutine and before the next operation: later it shows a later state.
type ContractError struct {
	// Rule is the rule that the call breaks; docs/invariants.md states it.
	Rule fiber.Rule
	// Op is the call that was refused.
	Op Op
	// Fix says what the caller should do instead.
	Fix string
	view
}

// InvariantError is the panic value of a scheduler that has found itself in a state
// its invariants exclude: a bug of this library. The scheduler is poisoned: every
// later call panics with the same value.
type InvariantError struct {
	// Rule is the rule that does not hold; docs/invariants.md states it.
	Rule fiber.Rule
	// Op is the operation that found it, which need not be the one that caused it.
	Op Op
	// Found is what was seen and what was expected.
	Found string
	view
}

// view is what an error shows of the scheduler: the fiber, its state, the history. It is filled
// once, at the panic or by its first reader (decision 0007). The zero view belongs to an error
// that no scheduler made; it shows nothing.
type view struct {
	core     *Core
	seen     *sighting
	prepared Op              // of a contract error in the table of prepared ones
	poisons  *InvariantError // of a violation in that table: itself
}

// sighting is what a view has read. It does not change afterwards, so an error keeps showing the
// moment of its panic.
type sighting struct {
	fiber  fiber.ID
	state  fiber.State
	name   string // of the fiber; "" if it has none
	site   string // where its root is in the guest's program; "" without Config.Site
	recent []Event
}

// look reads the scheduler once. A fast path cannot afford to fill the view before it
// panics. A refused operation changes nothing, so the first reader, in the recovering
// code, still sees the state in which the call was refused. Two steps are left to the reader as
// well: a violation poisons the scheduler, and a prepared contract error is replaced in the
// table, because its view is now filled and the next refusal needs an empty one.
func (v *view) look() *sighting {
	switch {
	case v.seen != nil:
	case v.core == nil: // an error that no scheduler made
		v.seen = new(sighting)
	case v.core.poison != nil:
		v.seen = lookAt(v.core, 0)
	case v.poisons != nil:
		v.seen = lookAt(v.core, v.core.Current())
		v.core.poisonWith(v.poisons)
	default:
		v.seen = lookAt(v.core, v.core.executingID())
		if v.prepared != op.None {
			v.core.prepareFault(v.prepared) // the next refusal is not this one
		}
	}
	return v.seen
}

// lookAt copies the history, up to historyLen entries.
func lookAt(c *Core, id fiber.ID) *sighting {
	s := &sighting{fiber: id, state: c.Inspect().State(id), name: c.Inspect().Name(id), recent: c.Inspect().Recent()}
	if c.poison == nil && c.op == c.restOp && !c.looking {
		c.looking = true // a Site hook that is refused itself gets an error without a site
		s.site = c.siteOf(id)
		c.looking = false
	}
	return s
}

// ContractError is the refusal of a call of a package above, in the words of one of the scheduler:
// it shows the executing fiber, its site and the recent history.
func (f Inspect) ContractError(call Op, r fiber.Rule, fix string) *ContractError {
	return &ContractError{Rule: r, Op: call, Fix: fix, view: view{seen: lookAt(f.core, f.core.executingID()), core: f.core}}
}

// missing is the panic of a call without an argument that it needs, made where no view may be
// taken: on another goroutine, or before an operation begins.
func missing(call Op, fix string) *ContractError {
	return &ContractError{Rule: rule.ValidArgument, Op: call, Fix: fix}
}

// Fiber is the one that executed when the rule was broken; 0 if none did.
func (v *view) Fiber() fiber.ID { return v.look().fiber }

// State is that fiber's scheduling state.
func (v *view) State() fiber.State { return v.look().state }

// Recent is the history that led here, oldest first: at most the last 64 transitions.
func (v *view) Recent() []Event { return v.look().recent }

// describe appends the fiber and the last twelve transitions: enough to see how the fiber came to
// where it is, in a message that fits on a screen. Recent has all.
func (v *view) describe(b *strings.Builder) {
	if v.core == nil {
		return
	}
	s := v.look()
	fmt.Fprintf(b, "\n\texecuting: %v", s.fiber)
	if s.name != "" {
		fmt.Fprintf(b, " %q", s.name)
	}
	if s.site != "" {
		fmt.Fprintf(b, " at %s", s.site)
	}
	fmt.Fprintf(b, ", %v\n\trecent:", s.state)
	if len(s.recent) == 0 {
		b.WriteString(" nothing yet")
	}
	for _, e := range s.recent[max(0, len(s.recent)-12):] {
		fmt.Fprintf(b, " %v(%v %v→%v)", e.Op, rawName(e.Fiber), e.From, e.To)
	}
}

// rawName is a slot in short form. The history has no generations: an entry may be of an earlier
// fiber in the slot.
func rawName(r fiber.Raw) string {
	if r.IsTrampoline() {
		return fmt.Sprintf("t%d", r.Index())
	}
	return fmt.Sprintf("f%d", r.Index())
}

// Error names the call, the rule, what to do instead, and the recent history.
func (e *ContractError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scheduler: %v breaks %s: %s", e.Op, rule.Cite(e.Rule), e.Fix)
	e.describe(&b)
	return b.String()
}

// Error says what was found where, with the recent history.
func (e *InvariantError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scheduler: %s violated in %v: %s (a bug in the scheduler; it is poisoned)",
		rule.Cite(e.Rule), e.Op, e.Found)
	e.describe(&b)
	return b.String()
}

// PanicError is how code ended by a panic that was not recovered: a fiber, or Go code that a
// package of this module called and whose panic it contained.
type PanicError struct {
	// Value is the argument of panic; nil if Go code called runtime.Goexit instead.
	Value any
	// Site is where the panic started, in the host's own form; empty if only Stack says it.
	Site string
	// Stack is the Go stack at a panic of Go code, as runtime/debug prints it; nil for a
	// panic of guest code.
	Stack []byte
}

// Error is the value and the site. It leaves out the stack, which differs from run to run.
func (e *PanicError) Error() string {
	text := "runtime.Goexit was called"
	if e.Value != nil {
		text = fmt.Sprintf("panic: %v", e.Value)
	}
	if e.Site == "" {
		return text
	}
	return e.Site + ": " + text
}

// Unwrap is the panic value if it was an error, so that errors.Is and errors.As find it; else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
