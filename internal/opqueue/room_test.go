package opqueue

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"pgregory.net/rapid"
)

// crowd is fibers that wait for room, beside a model: two plain lists.
type crowd struct {
	q       *Queue
	limit   int
	alive   []fiber.Token
	orphans []fiber.Token
	line    []fiber.Ticket // who waits, in order of arrival
	kept    []fiber.Ticket // who was let in and has not claimed its place
	seq     uint64
}

var worker = fiber.NewRegularID(3, 1)

func (c *crowd) used() int { return len(c.alive) + len(c.orphans) + len(c.kept) }

// admitted compares whom Admit let in with whom the model lets in.
func (c *crowd) admitted(t *rapid.T, got []fiber.Wakeup) {
	got = c.q.Admit(got)
	for _, w := range got {
		if len(c.line) == 0 || w.Ticket != c.line[0] || c.used() >= c.limit {
			t.Fatalf("let in %v with %d of %d places taken; the line is %v", w.Ticket, c.used(), c.limit, c.line)
		}
		c.line, c.kept = c.line[1:], append(c.kept, w.Ticket)
	}
	if len(c.line) > 0 && c.used() < c.limit {
		t.Fatalf("%v waits while %d of %d places are taken", c.line[0], c.used(), c.limit)
	}
}

func (c *crowd) Submit(t *rapid.T) {
	full := c.used() >= c.limit || len(c.line) > 0
	tok, err := c.q.Submit(worker)
	if full != errors.Is(err, ioqueue.ErrFull) || !full && err != nil {
		t.Fatalf("Submit = %v with %d of %d places taken and %d in line", err, c.used(), c.limit, len(c.line))
	}
	if !full {
		c.alive = append(c.alive, tok)
		return
	}
	c.seq++
	ticket := fiber.Ticket{ID: worker.ID(), Seq: c.seq}
	if err := c.q.Room().Park(ticket, 0); err != nil {
		t.Fatal(err)
	}
	c.line = append(c.line, ticket)
}

func (c *crowd) Claim(t *rapid.T) {
	if len(c.kept) == 0 {
		return
	}
	i := rapid.IntRange(0, len(c.kept)-1).Draw(t, "who")
	ticket := c.kept[i]
	c.kept = slices.Delete(c.kept, i, i+1)
	tok, err := c.q.SubmitReserved(worker, ticket)
	if err != nil {
		t.Fatalf("the place of %v is gone: %v", ticket, err)
	}
	if _, err := c.q.SubmitReserved(worker, ticket); !errors.Is(err, ioqueue.ErrNoRoom) {
		t.Fatalf("a place was claimed twice: %v", err)
	}
	c.alive = append(c.alive, tok)
}

// Leave ends a fiber's wait in the line, or with a place that it has not claimed.
func (c *crowd) Leave(t *rapid.T) {
	if n := len(c.line); n > 0 && rapid.Bool().Draw(t, "from the line") {
		i := rapid.IntRange(0, n-1).Draw(t, "who")
		ticket := c.line[i]
		c.line = slices.Delete(c.line, i, i+1)
		c.admitted(t, c.q.Room().Source().Withdraw(ticket, nil))
		return
	}
	if n := len(c.kept); n > 0 {
		i := rapid.IntRange(0, n-1).Draw(t, "who")
		ticket := c.kept[i]
		c.kept = slices.Delete(c.kept, i, i+1)
		wakes, had := c.q.Room().Source().(fiber.Assigner).Forfeit(ticket, nil)
		c.admitted(t, wakes)
		if !had {
			t.Errorf("%v had no place", ticket)
		}
	}
}

func (c *crowd) End(t *rapid.T) {
	if len(c.alive) == 0 {
		return
	}
	i := rapid.IntRange(0, len(c.alive)-1).Draw(t, "which")
	tok := c.alive[i]
	c.alive = slices.Delete(c.alive, i, i+1)
	if rapid.Bool().Draw(t, "give up") {
		if err := c.q.Abandon(tok); err != nil {
			t.Fatal(err)
		}
		c.orphans = append(c.orphans, tok)
	} else {
		complete(c.q, tok, ioqueue.Completion{})
		take(c.q, tok)
	}
	c.admitted(t, nil)
}

func (c *crowd) Acknowledge(t *rapid.T) {
	if len(c.orphans) == 0 {
		return
	}
	tok := c.orphans[0]
	c.orphans = c.orphans[1:]
	complete(c.q, tok, ioqueue.Completion{})
	c.admitted(t, nil)
}

func (c *crowd) Check(t *rapid.T) {
	if err := check(c.q); err != nil {
		t.Fatal(err)
	}
	for _, ticket := range slices.Concat(c.kept, c.line) {
		if kept := slices.Contains(c.kept, ticket); c.q.Room().Reserved(ticket) != kept {
			t.Fatalf("Keeps(%v) = %v", ticket, !kept)
		}
	}
	if want := len(c.line) > 0 && len(c.orphans) > 0; c.q.Room().AwaitsDevice() != want {
		t.Fatalf("Comes = %v with %d in line and %d to be acknowledged", !want, len(c.line), len(c.orphans))
	}
}

func TestRoomIsGivenInOrderOfArrivalAndNeverTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &crowd{limit: 3}
		c.q = New(0, c.limit, nil)
		t.Repeat(map[string]func(*rapid.T){
			"": c.Check, "Submit": c.Submit, "Claim": c.Claim, "Leave": c.Leave, "End": c.End, "Acknowledge": c.Acknowledge,
		})
	})
}

// A fiber that was let in and is slow must not lose its place to one that runs.
func TestNobodyOvertakesAFiberThatWasLetIn(t *testing.T) {
	q := New(0, 1, nil)
	first, _ := q.Submit(worker)
	ticket := fiber.Ticket{ID: worker.ID(), Seq: 1}
	_ = q.Room().Park(ticket, 7)
	complete(q, first, ioqueue.Completion{})
	take(q, first)
	if w := q.Admit(nil); len(w) != 1 || w[0].Result.Value != 7 {
		t.Fatalf("let in %v", w)
	}
	if _, err := q.Submit(worker); !errors.Is(err, ioqueue.ErrFull) {
		t.Fatalf("the place was taken by somebody else: %v", err)
	}
	if _, err := q.SubmitReserved(worker, ticket); err != nil {
		t.Fatal(err)
	}
}

func TestAFiberForWhichNoPlaceIsKeptGetsNoToken(t *testing.T) {
	q := New(0, 1, nil)
	submit(t, q, worker)
	waits := fiber.Ticket{ID: worker.ID(), Seq: 1}
	if err := q.Room().Park(waits, 0); err != nil {
		t.Fatal(err)
	}
	for name, ticket := range map[string]fiber.Ticket{
		"that still waits":  waits,
		"that never waited": {ID: worker.ID(), Seq: 2},
		"that is none":      {},
	} {
		if tok, err := q.SubmitReserved(worker, ticket); tok != 0 || !errors.Is(err, ioqueue.ErrNoRoom) {
			t.Errorf("a ticket %s: %v, %v", name, tok, err)
		}
	}
	if !q.Room().Source().Holds(waits) || q.Outstanding() != 1 {
		t.Errorf("waits: %v, outstanding: %d", q.Room().Source().Holds(waits), q.Outstanding())
	}
}

// A host that parks late would put a fiber before those who came first (I11).
func TestTheLineForRoomRefusesATicketOutOfOrder(t *testing.T) {
	q := New(0, 1, nil)
	first := fiber.Ticket{ID: worker.ID(), Seq: 5}
	if err := q.Room().Park(first, 0); err != nil {
		t.Fatal(err)
	}
	for name, late := range map[string]fiber.Ticket{"an older one": {ID: worker.ID(), Seq: 4}, "none": {}} {
		if err := q.Room().Park(late, 0); !errors.Is(err, ioqueue.ErrOrder) || q.Room().Source().Holds(late) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if q.Room().line.Waiting() != 1 || !q.Room().Source().Holds(first) {
		t.Errorf("%d wait", q.Room().line.Waiting())
	}
}

func TestWhoLeavesTheLineForRoomGetsNoPlace(t *testing.T) {
	q := New(0, 1, nil)
	tok := submit(t, q, worker)
	gone, next := fiber.Ticket{ID: worker.ID(), Seq: 1}, fiber.Ticket{ID: worker.ID(), Seq: 2}
	for _, ticket := range []fiber.Ticket{gone, next} {
		if err := q.Room().Park(ticket, 0); err != nil {
			t.Fatal(err)
		}
	}
	q.Room().Source().Withdraw(gone, nil)
	if q.Room().Source().Holds(gone) || q.Room().line.Waiting() != 1 {
		t.Fatalf("it waits: %v, of %d", q.Room().Source().Holds(gone), q.Room().line.Waiting())
	}
	complete(q, tok, ioqueue.Completion{})
	take(q, tok)
	if w := q.Admit(nil); len(w) != 1 || w[0].Ticket != next {
		t.Fatalf("let in: %v", w)
	}
}
