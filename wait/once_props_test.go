package wait

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// chore drives a Once beside the dumbest description of one: a line of fibers, the
// first of which runs it.
type chore struct {
	*crowd
	o      *Once
	policy OwnerDeath
	line   []locker
	done   bool
	failed fiber.ID
}

func (c *chore) runs() fiber.ID {
	if len(c.line) == 0 {
		return 0
	}
	return c.line[0].id
}

func (c *chore) Run(t *rapid.T) {
	id := c.runner(t)
	if id == 0 {
		return
	}
	run, done, err := c.o.TryRun(id)
	switch {
	case c.failed != 0:
		refused(t, err, ErrRunFailed, c.failed)
	case !c.done && c.runs() == id:
		refused(t, err, ErrReentered, id)
	case err != nil || done != c.done || run != (!c.done && len(c.line) == 0):
		t.Fatalf("run %v, done %v, %v, with %+v in line", run, done, err, c.line)
	case run:
		c.line = append(c.line, locker{id: id})
	case !done:
		tk := c.parks(t, id, func(tk fiber.Ticket) error { return c.o.ParkRun(tk, id) }, c.o.Source())
		c.line = append(c.line, locker{id, tk})
	}
}

// Finish and Fail are tried by any running fiber.
func (c *chore) Finish(t *rapid.T) {
	c.ends(t, c.o.Finish, func(fiber.ID) {
		c.done = true
		c.tellAll(fiber.OK)
	})
}

func (c *chore) Fail(t *rapid.T) { c.ends(t, c.o.Fail, c.fails) }

func (c *chore) ends(t *rapid.T, end func(fiber.ID, []fiber.Wakeup) ([]fiber.Wakeup, error), then func(fiber.ID)) {
	id := c.runner(t)
	if id == 0 {
		return
	}
	wakes, err := end(id, nil)
	if c.runs() != id {
		refused(t, err, ErrNotOwner, c.runs())
		return
	}
	if err != nil {
		t.Fatalf("the runner cannot end it: %v", err)
	}
	c.deliver(wakes...)
	then(id)
}

func (c *chore) fails(id fiber.ID) {
	if c.policy == Poison {
		c.failed = id
		c.tellAll(fiber.Failed)
		return
	}
	if c.line = c.line[1:]; len(c.line) > 0 {
		c.expect(c.line[0].t, fiber.OK)
	}
}

func (c *chore) tellAll(code fiber.Code) {
	for _, l := range c.line[1:] {
		c.expect(l.t, code)
	}
	c.line = nil
}

func (c *chore) givesUp(tk fiber.Ticket) {
	c.line = slices.DeleteFunc(c.line, func(l locker) bool { return l.t == tk })
}

func (c *chore) dies(id fiber.ID) {
	if c.runs() == id {
		c.fails(id)
		return
	}
	c.line = slices.DeleteFunc(c.line, func(l locker) bool { return l.id == id })
}

func (c *chore) wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code) {
	turn := len(c.line) > 0 && c.line[0].t == tk
	if got := c.o.Collect(tk); got != turn || turn && code != fiber.OK {
		t.Fatalf("%v woke with %v, its turn: %v, want %v", tk, code, got, turn)
	}
	if turn {
		c.line[0].t = fiber.Ticket{}
	}
}

func (c *chore) knows(tk fiber.Ticket) bool {
	return c.o.Collect(tk) || c.o.Source().Holds(tk) || forfeits(c.o.Source().(fiber.Assigner), tk, c.o.Source().Withdraw(tk, nil))
}

func (c *chore) rest() error {
	if c.o.Source().(interface{ Waiting() int }).Waiting() > 0 || c.o.Runner() != 0 || !c.o.granted.IsZero() {
		return fmt.Errorf("%v", c.o.Source().(fiber.Described).Describe())
	}
	return nil
}

// Again makes a failed one ready, or takes a new one after a while.
func (c *chore) Again(t *rapid.T) {
	if c.o.Repair() != (c.failed != 0) {
		t.Fatalf("repaired what %v failed", c.failed)
	}
	c.failed = 0
	if c.done && !slices.ContainsFunc(c.asleep[:], func(tk fiber.Ticket) bool { return !tk.IsZero() }) {
		*c.o, c.done = *NewOnce(c.policy), false
	}
}

// compare is everything there is to see, and the invariants listed on Once.
func (c *chore) compare(t *rapid.T) {
	var line []fiber.Ticket
	for _, l := range c.line[min(1, len(c.line)):] {
		line = append(line, l.t)
	}
	switch o := c.o; {
	case !slices.Equal(queue(o.waiting.All()), line) || o.Done() != c.done || o.failed != c.failed || o.Runner() != c.runs():
		t.Fatalf("%v: waiting %v; want %+v, done %v, failed %v", o.Source().(fiber.Described).Describe(), queue(o.waiting.All()), c.line, c.done, c.failed)
	case !o.granted.IsZero() && o.granted != c.line[0].t:
		t.Fatalf("%v: the turn was given to %v, want %v", o.Source().(fiber.Described).Describe(), o.granted, c.line[0].t)
	case o.Source().(interface{ Waiting() int }).Waiting() > 0 && o.Runner() == 0 || o.Done() && o.Err() != nil:
		t.Fatalf("%v", o.Source().(fiber.Described).Describe())
	}
}

func TestAnyHistoryOfAOnceIsThatOfALineForAChore(t *testing.T) {
	for name, policy := range map[string]OwnerDeath{"poison": Poison, "hand on": HandOver} {
		t.Run(name, func(t *testing.T) {
			history(t, func(t *rapid.T) int {
				c := &chore{o: NewOnce(policy), policy: policy}
				c.crowd = newCrowd(t, c, c.o.OwnerHook())
				return c.goOn(t, c.compare, map[string]func(*rapid.T){
					"run": c.Run, "run too": c.Run, "run as well": c.Run, "finish": c.Finish, "fail": c.Fail, "again": c.Again,
				})
			})
		})
	}
}
