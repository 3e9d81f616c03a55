package proptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// ErrNoWords reports an action that an interaction script cannot say, or cannot say what to
// expect of: a FailPinned prints a report.
var ErrNoWords = errors.New("proptest: a script has no words for it")

// Script is the failure as an interaction script (package scheduler/script): the actions,
// and behind each what the model says must come of it. At its end everybody is led home,
// so that a difference in the order of things shows too. A right scheduler runs it to the
// end; the one that failed does not, unless the failure was in a cheap form of a call or
// at a door that scripts do not use.
func (f *Failure) Script() (string, error) {
	right := f.Bounds
	right.Bug = spec.NoBug
	s := newScribe(right)
	if f.Err != nil {
		first, _, _ := strings.Cut(f.Err.Error(), "\n")
		s.printf("# The scheduler and its model differ: %s\n", first)
	}
	s.begin()
	for _, a := range f.Actions {
		if err := s.write(a); err != nil {
			return "", err
		}
	}
	for a, ok := Homeward(right, &s.at); ok; a, ok = Homeward(right, &s.at) {
		if err := s.write(a); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(s.String(), "\n"), nil
}

// scribe writes a script. It knows nothing of the scheduler: it follows the model, and
// keeps what the model leaves out, which slot, ticket and token come next.
type scribe struct {
	strings.Builder
	bounds spec.Config
	at     spec.State
	pools  [2]slots // of regular fibers and of trampolines
	lives  [spec.MaxSlots]life
	births int
	arms   int
	ticket [spec.MaxSlots][spec.MaxTickets]string
	ops    int
	op     [spec.MaxTokens]string
	owed   [spec.MaxFibers]string // an operation whose end is latched
	cause  [spec.MaxFibers]string
	now    fiber.Time
	due    [spec.MaxDeadlines]fiber.Time
	grace  fiber.Time
	tails  []string // output behind that of the effects
}

// life is the fiber in a slot of the model, as the script names it.
type life struct {
	name  string
	count int // how many there were before
	birth int
	real  uint32
}

// slots is which slots of a pool the scheduler has free: the last that was given back
// goes first.
type slots struct {
	free []uint32
	gens []uint32
}

// next is the slot that is taken next.
func (p *slots) next() uint32 {
	if n := len(p.free); n > 0 {
		return p.free[n-1]
	}
	return uint32(len(p.gens))
}

func (p *slots) take() (slot, gen uint32) {
	slot = p.next()
	if n := len(p.free); n > 0 {
		p.free = p.free[:n-1]
	} else {
		p.gens = append(p.gens, 0)
	}
	p.gens[slot]++
	return slot, p.gens[slot]
}

func newScribe(bounds spec.Config) *scribe { return &scribe{bounds: bounds, at: bounds.Init()} }

func (s *scribe) printf(format string, args ...any) { _, _ = fmt.Fprintf(s, format, args...) }

// begin makes a scheduler with the bounds of the model.
func (s *scribe) begin() {
	c := s.bounds
	s.printf("new max-fibers %d max-trampolines %d max-tokens %d", c.Fibers, max(c.Trampolines, 1), max(c.Tokens, 1)+c.Fibers)
	if c.Grace {
		s.printf(" grace %v", time.Duration(gracePeriod))
	}
	s.printf("\n----\nnew: scheduler 0\n")
}

// write is a paragraph: one action, or more commands that are one.
func (s *scribe) write(a spec.Action) error {
	from := s.at
	answer, ok := s.bounds.Step(&s.at, a)
	if !ok {
		return nil // not possible where it stands
	}
	command, says, err := s.words(&from, a, answer)
	if err != nil {
		return err
	}
	also := s.collects(&from, a, answer)
	s.printf("\n%s\n", command)
	if also != "" {
		s.printf("take %s\n", also)
	}
	s.printf("----\n%s\n", says)
	for _, line := range append(s.effects(&from), s.tails...) {
		s.printf("  %s\n", line)
	}
	if s.tails = s.tails[:0]; also != "" {
		s.printf("take: %s came with nothing\n", also)
	}
	return nil
}

// collects is the operation whose completion is there to be taken now.
func (s *scribe) collects(from *spec.State, a spec.Action, answer spec.Answer) (op string) {
	switch {
	case a.Kind == spec.IoDone && answer == spec.AnswerWoken:
		return s.op[a.Token()]
	case a.Kind == spec.Block && from.Current != spec.NoSlot:
		op, s.owed[from.Current] = s.owed[from.Current], ""
	}
	return op
}

// effects says who is in another state than before: those that can run last, in the order
// in which they will.
func (s *scribe) effects(from *spec.State) (lines []string) {
	var rest, ready []spec.Slot
	for x := range s.bounds.Slots() {
		switch {
		case from.Contexts[x].Status == s.at.Contexts[x].Status && doomedIn(from, x) == doomedIn(&s.at, x):
		case s.at.Contexts[x].Status == spec.Runnable:
			ready = append(ready, x)
		default:
			rest = append(rest, x)
		}
	}
	slices.SortFunc(rest, func(x, y spec.Slot) int { return s.lives[x].birth - s.lives[y].birth })
	slices.SortFunc(ready, func(x, y spec.Slot) int {
		return slices.Index(s.at.Queue(), x) - slices.Index(s.at.Queue(), y)
	})
	for _, x := range append(rest, ready...) {
		lines = append(lines, s.lives[x].name+": "+s.change(from, x))
	}
	s.bury(from)
	return lines
}

func doomedIn(m *spec.State, x spec.Slot) bool {
	root := m.Root(x)
	return m.Contexts[x].Status != spec.Dead && root != spec.NoSlot && m.Fibers[root].Doomed
}

func (s *scribe) change(from *spec.State, x spec.Slot) string {
	var parts []string
	was, is := from.Contexts[x].Status, s.at.Contexts[x].Status
	if was != is {
		parts = append(parts, fmt.Sprintf("%v → %v%s", stateOf(was), stateOf(is), s.why(x)))
	}
	if doomedIn(&s.at, x) && !doomedIn(from, x) {
		parts = append(parts, "doomed")
	}
	return strings.Join(parts, ", ")
}

// why is what somebody blocked waits for.
func (s *scribe) why(x spec.Slot) string {
	root, status := s.at.Root(x), s.at.Contexts[x].Status
	pinned := root != spec.NoSlot && slices.Contains(s.at.Pins(), root)
	switch {
	case status == spec.Running && x.IsTrampoline() && pinned && s.at.Top(root) == x:
		return " (pinned)"
	case !status.Blocked():
		return ""
	case s.at.Contexts[x].Seq == spec.NoNumber:
		chain := s.at.ChainOf(root)
		return " (its callee " + s.lives[chain[slices.Index(chain, x)+1]].name + ")"
	}
	due := fiber.Never
	if d, has := s.at.DeadlineOf(x); has {
		due = s.due[d]
	}
	k, io := s.at.Awaited(x)
	return " (" + s.reason(io, k, s.at.Sleeps(x), due) + ")"
}

func (s *scribe) reason(io bool, k int, sleeps bool, due fiber.Time) string {
	by := ""
	if due != fiber.Never {
		by = fmt.Sprintf(" by %v", due)
	}
	switch {
	case sleeps:
		return fmt.Sprintf("timer %v", due)
	case io:
		return "io " + s.op[k] + by
	}
	return "queue" + by
}

// bury gives back the slots of the dead.
func (s *scribe) bury(from *spec.State) {
	for _, x := range deaths(s.bounds, from, &s.at) {
		pool := s.pool(x)
		pool.free = append(pool.free, s.lives[x].real)
		if k, holds := from.TokenOf(x); holds && from.Tokens[k].State == spec.Done {
			s.tails = append(s.tails, "dropped: "+s.op[k]+" came with nothing")
		}
	}
}

// deaths is who has died, in order: who was blocked or ran, then the heads of the queue.
func deaths(c spec.Config, from, to *spec.State) (dead []spec.Slot) {
	for x := range c.Slots() {
		if from.Contexts[x].Status != spec.Dead && to.Contexts[x].Status == spec.Dead {
			dead = append(dead, x)
		}
	}
	slices.SortStableFunc(dead, func(x, y spec.Slot) int {
		return slices.Index(from.Queue(), x) - slices.Index(from.Queue(), y)
	})
	return dead
}

func (s *scribe) pool(x spec.Slot) *slots {
	if x.IsTrampoline() {
		return &s.pools[1]
	}
	return &s.pools[0]
}
