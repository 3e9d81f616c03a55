package faults

import (
	"math/rand/v2"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// killLater kills the fiber that runs in some turns, if it waits for this operation then.
func (w *World) killLater(after int) {
	at := w.Device.turn + after
	w.kills[at] = append(w.kills[at], w.awaits[w.s.Current()])
}

// kill does what is due this turn, before what arrives in it.
func (w *World) kill() {
	for _, x := range w.kills[w.Device.turn] {
		if w.awaits[x.id] == x {
			w.end(x)
			w.check(w.s.Kill(x.id, nil) == nil, "%v is gone, and waits for token %d", x.id, x.tok)
		}
	}
	delete(w.kills, w.Device.turn)
}

// end notes that a fiber that waits will not come for its completion.
func (w *World) end(x wait) {
	delete(w.awaits, x.id)
	delete(w.dated, x.tok)
	w.ledger.givesUp(x.tok)
}

// strange is a token that nobody waits for: one that was never given out, or whose
// operation is over or given up.
func (w *World) strange(rnd *rand.Rand) fiber.Token {
	tok := w.given[rnd.IntN(len(w.given))]
	if st := w.ledger.tokens[tok].standing; rnd.IntN(2) == 0 && (st == over || st == abandoned) {
		return tok
	}
	for {
		forged := tok ^ fiber.Token(1<<46|rnd.Uint64()>>18) // a count that no slot gets to here
		if w.ledger.tokens[forged] == nil {
			return forged
		}
	}
}

// foreigner is a token of the other scheduler.
func (w *World) foreigner() fiber.Token { return w.foreign[w.rnd.IntN(len(w.foreign))] }

// post brings a completion through the door for other goroutines.
func (w *World) post(a arrival) {
	err := w.s.Inbox().Do(func() { w.complete(a) })
	w.check(err == nil, "the inbox: %v", err)
}

// Settle is how many turns after the last fault every wait has ended whose completion was
// not dropped.
const Settle = slow + 2*usual + 2

// Calm stops the faults. It returns the operations that are waited for and will end.
func (w *World) Calm() (open []fiber.Token) {
	w.Device.Profile = Profile{}
	for _, x := range w.awaits {
		if !w.ledger.tokens[x.tok].dropped {
			open = append(open, x.tok)
		}
	}
	slices.Sort(open)
	return open
}

// Ended tells whether nobody waits for the operation any more.
func (w *World) Ended(tok fiber.Token) bool {
	st := w.ledger.tokens[tok].standing
	return st == over || st == abandoned
}

// Shutdown kills everybody, and then lets everything come that was on its way.
func (w *World) Shutdown() {
	for _, x := range w.awaits {
		w.end(x)
	}
	w.s.Steps().KillAll(nil)
	for _, a := range w.Device.late {
		w.complete(a)
	}
	w.clients = 0
	for range Settle {
		w.Turn()
	}
	w.check(w.s.Inspect().Live() == 0, "%d fibers live on", w.s.Inspect().Live())
	w.compare()
}

// compare holds the scheduler's counts against the ledger's.
func (w *World) compare() {
	c, want := w.s.Ops().Counters(), w.ledger.counts
	w.check(c.Submitted == want.Submitted && c.Completed == want.Completed && c.Late == want.Late &&
		c.Duplicate == want.Duplicate && c.Unknown == want.Unknown, "counted %+v, want %+v", c, want)
	w.s.Inspect().Verify()
}
