package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// crowd is some fibers that use objects in any order: each runs, is parked, or was
// woken and has not run yet, and each may give up or die at any moment. The test of a
// primitive adds what its fibers do and the model that says what must come of it.
type crowd struct {
	*fake
	rules  rules
	hooks  []fiber.OwnerHook
	lives  [6]uint32
	asleep [6]fiber.Ticket // zero for those who run
	spent  []fiber.Ticket
	want   []fiber.Wakeup // what the model says was woken by the present step
	steps  int            // not counting impossible ones
}

// rules is the model of a primitive: what happens to it apart from what fibers do.
type rules interface {
	// givesUp: a parked fiber's wait ends otherwise.
	givesUp(tk fiber.Ticket)
	// dies: a fiber is gone, with what it holds or was given.
	dies(id fiber.ID)
	// wakes: a fiber runs again after its wait ended with the code; it collects.
	wakes(t *rapid.T, tk fiber.Ticket, code fiber.Code)
	// knows tells whether any object still knows a ticket that is spent.
	knows(tk fiber.Ticket) bool
	// rest is an error if anything is held or waited for.
	rest() error
}

func newCrowd(t *rapid.T, r rules, hooks ...fiber.OwnerHook) *crowd {
	return &crowd{fake: newFake(t), rules: r, hooks: hooks}
}

func (c *crowd) id(n int) fiber.ID { return fiber.NewRegularID(uint32(n), c.lives[n]+1).ID() }

// draw is one of the fibers that are as asked for, if there is any; that makes a step.
func (c *crowd) draw(t *rapid.T, is func(n int) bool) (int, bool) {
	var all []int
	for n := range c.lives {
		if is(n) {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	c.steps++
	return rapid.SampledFrom(all).Draw(t, "fiber"), true
}

// runner is a fiber that runs, 0 if none does.
func (c *crowd) runner(t *rapid.T) fiber.ID {
	n, ok := c.draw(t, func(n int) bool { return c.asleep[n].IsZero() })
	if !ok {
		return 0
	}
	return c.id(n)
}

func (c *crowd) parked(n int) bool {
	tk := c.asleep[n]
	return !tk.IsZero() && c.waits[tk].res.Code == fiber.Pending
}

func (c *crowd) woke(n int) bool { return !c.asleep[n].IsZero() && !c.parked(n) }

func (c *crowd) anybody(int) bool { return true }

// parks arms a wait for a fiber and registers it.
func (c *crowd) parks(t *rapid.T, id fiber.ID, park func(fiber.Ticket) error, sources ...fiber.Source) fiber.Ticket {
	tk := c.arm(id, sources...)
	if err := park(tk); err != nil {
		t.Fatalf("park: %v", err)
	}
	c.asleep[id.Index()] = tk
	return tk
}

func (c *crowd) expect(tk fiber.Ticket, code fiber.Code) { c.want = append(c.want, woken(tk, code, 0)) }

// up makes a fiber run again.
func (c *crowd) up(n int) {
	c.spent = append(c.spent, c.asleep[n])
	c.asleep[n] = fiber.Ticket{}
}

// Interrupt ends the wait of one who is parked.
func (c *crowd) Interrupt(t *rapid.T) {
	if n, ok := c.draw(t, c.parked); ok {
		tk := c.asleep[n]
		c.rules.givesUp(tk)
		c.timeout(tk)
		c.claim(tk)
		c.up(n)
	}
}

// Resume lets a woken fiber run.
func (c *crowd) Resume(t *rapid.T) {
	if n, ok := c.draw(t, c.woke); ok {
		tk := c.asleep[n]
		code := c.claim(tk).Code
		c.up(n)
		c.rules.wakes(t, tk, code)
	}
}

// Die ends a fiber; the scheduler tells the sources of its wait and what it owns, and
// to be told twice changes nothing.
func (c *crowd) Die(t *rapid.T) {
	if n, ok := c.draw(t, c.anybody); ok {
		c.kill(n)
	}
}

func (c *crowd) kill(n int) {
	id := c.id(n)
	c.rules.dies(id)
	if tk := c.asleep[n]; !tk.IsZero() {
		c.die(tk)
		c.up(n)
	}
	for _, h := range slices.Concat(c.hooks, c.hooks) {
		c.deliver(h.OwnerDied(id, nil)...)
	}
	c.lives[n]++
}

// Stale asks about a wait that is over.
func (c *crowd) Stale(t *rapid.T) {
	if len(c.spent) > 0 {
		if tk := rapid.SampledFrom(c.spent).Draw(t, "spent"); c.rules.knows(tk) {
			t.Fatalf("%v is still known", tk)
		}
	}
}

// Check compares who was woken, by what the object said, with the model.
func (c *crowd) Check(t *rapid.T) {
	if !same(c.woken, c.want) {
		t.Fatalf("woken %v, want %v", c.woken, c.want)
	}
	c.woken, c.want = c.woken[:0], c.want[:0]
	for n, tk := range c.asleep {
		if !tk.IsZero() && c.waits[tk].sources[0].Holds(tk) != c.parked(n) {
			t.Fatalf("%v is registered: %v, and parked: %v", tk, !c.parked(n), c.parked(n))
		}
	}
}

// goOn lets the crowd do these things over and over, and then kills all: nothing must
// be held or waited for by the dead.
func (c *crowd) goOn(t *rapid.T, check func(*rapid.T), does map[string]func(*rapid.T)) int {
	for name, step := range map[string]func(*rapid.T){
		"interrupt": c.Interrupt, "resume": c.Resume, "die": c.Die, "stale": c.Stale,
	} {
		does[name] = step
	}
	does[""] = func(t *rapid.T) { c.Check(t); check(t) }
	for range 2 * rounds {
		t.Repeat(does)
	}
	for n := range c.lives {
		c.kill(n)
	}
	c.Check(t)
	if err := c.rules.rest(); err != nil {
		t.Fatalf("after the death of all: %v", err)
	}
	return c.steps
}

// history runs a test of a crowd many times and tells how many steps that was.
func history(t *testing.T, run func(*rapid.T) int) {
	steps := 0
	rapid.Check(t, func(t *rapid.T) { steps += run(t) })
	t.Logf("%d steps", steps)
}

// refused checks that an operation failed as it must, naming the owner.
func refused(t *rapid.T, err, want error, owner fiber.ID) {
	var e *Error
	if !errors.Is(err, want) || !errors.As(err, &e) || e.Owner != owner {
		t.Fatalf("got %v, want %v with owner %v", err, want, owner)
	}
}

// queue is the tickets that wait in an object, oldest first.
func queue(all func(func(fiber.Ticket, uint32) bool)) (tks []fiber.Ticket) {
	for tk := range all {
		tks = append(tks, tk)
	}
	return tks
}
