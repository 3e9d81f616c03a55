package proptest

import (
	"errors"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// StaleProbe tries what must be refused always: tickets, fibers and operations that are
// spent, that are another scheduler's, or that were never given out. It remembers what
// was good once, and makes the rest up from that.
type StaleProbe struct {
	// Tried is how many it has tried, by what they were.
	Tried struct{ Tickets, Fibers, Tokens uint64 }

	rng     *rand.Rand
	tickets [64]fiber.Ticket
	tokens  [64]fiber.Token
	at      int
}

// NewStaleProbe makes one whose attempts follow from the seed.
func NewStaleProbe(seed uint64) *StaleProbe { return &StaleProbe{rng: rand.New(rand.NewPCG(seed, 2))} }

// Try makes one attempt of each sort on the scheduler, which must refuse each by the
// right name. That nothing has changed shows in the next Match.
func (f *StaleProbe) Try(l *Lockstep) error {
	f.remember(l)
	for _, attempt := range [...]func(*StaleProbe, *Lockstep) error{(*StaleProbe).ticket, (*StaleProbe).fiber, (*StaleProbe).token} {
		if err := f.guarded(attempt, l); err != nil {
			return err
		}
	}
	return nil
}

func (f *StaleProbe) guarded(attempt func(*StaleProbe, *Lockstep) error, l *Lockstep) (err error) {
	defer caught(&err)
	return attempt(f, l)
}

// remember keeps something that is good now, or was before.
func (f *StaleProbe) remember(l *Lockstep) {
	f.at = (f.at + 1) % len(f.tickets)
	x := f.slot(l)
	if t := l.names.ticket[x][f.rng.IntN(l.bounds.Tickets)]; !t.IsZero() {
		f.tickets[f.at] = t
	}
	if l.bounds.Tokens > 0 {
		f.tokens[f.at] = l.names.token[f.rng.IntN(l.bounds.Tokens)]
	}
}

// slot is one of those that the machine has.
func (f *StaleProbe) slot(l *Lockstep) spec.Slot {
	i := f.rng.IntN(l.bounds.Fibers + l.bounds.Trampolines)
	if i < l.bounds.Fibers {
		return spec.Regular(i)
	}
	return spec.Trampoline(i - l.bounds.Fibers)
}

// ticket tries one in each of the two ways that a delivery has.
func (f *StaleProbe) ticket(l *Lockstep) error {
	t := f.forgedTicket()
	if f.isCurrent(l, t) {
		return nil
	}
	f.Tried.Tickets++
	want := fiber.Gone
	switch alive := f.lives(l, t.ID); {
	case t.Scheduler() != schedulerNumber:
		want = fiber.WrongSource
	case alive:
		want = fiber.Stale
	}
	w := fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK, Value: 0xbad}}
	way, got := "Deliver", fiber.Delivery(0)
	if w.IsZero() || f.rng.Uint32()%2 == 0 {
		got = l.Scheduler.Deliver(t, w.Result)
	} else {
		w.From = f.rng.Uint32N(4)
		way, got = "Apply", l.Scheduler.Apply(w)
	}
	if got != want {
		return errorf("%s of the forged ticket %v: %v, not %v", way, t, got, want)
	}
	return nil
}

// forgedTicket is one that was good, or one with a bit of it changed.
func (f *StaleProbe) forgedTicket() fiber.Ticket {
	t := f.tickets[f.rng.IntN(len(f.tickets))]
	switch f.rng.Uint32() % 8 {
	case 0:
		t.Seq++
	case 1:
		t.Seq--
	case 2:
		t.Seq ^= 1 << f.rng.Uint32N(64)
	case 3:
		t.ID ^= 1 << f.rng.Uint32N(64)
	case 4:
		t.Seq = f.tickets[f.rng.IntN(len(f.tickets))].Seq
	case 5:
		t = fiber.Ticket{ID: fiber.ID(f.rng.Uint64()), Seq: f.rng.Uint64()}
	}
	return t
}

// isCurrent: the ticket is that of a wait that has not ended.
func (f *StaleProbe) isCurrent(l *Lockstep, t fiber.Ticket) bool {
	for x := range l.bounds.Slots() {
		if n := l.State.Contexts[x].Seq; n != spec.NoNumber && l.names.ticket[x][n] == t {
			return true
		}
	}
	return false
}

func (f *StaleProbe) lives(l *Lockstep, id fiber.ID) bool {
	for x := range l.bounds.Slots() {
		if l.State.Contexts[x].Status != spec.Dead && l.names.id[x] == id {
			return true
		}
	}
	return false
}

// fiber tries to cancel and to kill a fiber that is dead or never was.
func (f *StaleProbe) fiber(l *Lockstep) error {
	id := f.forgedTicket().ID
	if f.lives(l, id) {
		return nil
	}
	f.Tried.Fibers++
	var err error
	if f.rng.Uint32()%2 == 0 {
		err = l.Scheduler.Cancel(id, nil)
	} else {
		err = l.Scheduler.Kill(id, nil)
	}
	if !errors.Is(err, scheduler.ErrGone) {
		return errorf("the forged fiber %v is not gone: %v", id, err)
	}
	return nil
}

// token tries to complete an operation, and to collect one.
func (f *StaleProbe) token(l *Lockstep) error {
	tok := f.forgedToken()
	if f.isOutstanding(l, tok) {
		return nil
	}
	f.Tried.Tokens++
	if got, has := l.Scheduler.Ops().Completion(tok); has {
		return errorf("the forged token %d has the completion %v", tok, got)
	}
	if v := l.Scheduler.Ops().Complete(tok, ioqueue.Completion{N: 0xbad}); v != ioqueue.Unknown && v != ioqueue.Duplicate {
		return errorf("the forged token %d is completed: %v", tok, v)
	}
	return nil
}

func (f *StaleProbe) forgedToken() fiber.Token {
	t := f.tokens[f.rng.IntN(len(f.tokens))]
	switch f.rng.Uint32() % 8 {
	case 0:
		t++
	case 1:
		t--
	case 2, 3:
		t ^= 1 << f.rng.Uint32N(64)
	case 4:
		t = fiber.Token(f.rng.Uint64())
	}
	return t
}

// isOutstanding: the operation has not ended, or its result has not been collected.
func (f *StaleProbe) isOutstanding(l *Lockstep, tok fiber.Token) bool {
	return anyBelow(l.bounds.Tokens, func(k int) bool { return l.State.Tokens[k].State != spec.Free && l.names.token[k] == tok }) ||
		anyBelow(l.bounds.Fibers, func(x int) bool { return l.ledger.uncollected[x].token == tok && tok != 0 })
}
