package proptest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// ledger is what the model leaves out and the scheduler must get right all the same:
// what each wait ended with, why a fiber was cancelled or killed, what became of every
// completion, and the totals of I12. It follows from the model's steps alone.
type ledger struct {
	wait        [spec.MaxSlots]ending
	cause       [spec.MaxFibers]error
	verdict     [spec.MaxFibers]error              // the value of its Fatal panic
	first       error                              // the first of those in this run
	kept        [spec.MaxTokens]ioqueue.Completion // of tokens that are Done
	uncollected [spec.MaxFibers]completed
	asked       [spec.MaxTokens]bool // the shell knows that this orphan is to be cancelled

	counts  scheduler.Counts
	asks    int         // of objects, for what they assigned to a fiber that will not collect it
	due     []completed // to be dropped since the last Match
	dropped []completed // and those the scheduler did drop
}

// ending is how the last wait of the fiber in a slot ended; Pending while it has not.
type ending struct {
	ticket  fiber.Ticket // zero if this fiber has not waited yet
	result  fiber.Result
	objects int  // how many it was registered with
	owed    bool // an object may hold something for it
}

// completed is an operation with what it ended with.
type completed struct {
	token fiber.Token
	done  ioqueue.Completion
}

// cause is the error a fiber is cancelled with: the number of the step.
type cause uint32

func (c cause) Error() string { return fmt.Sprintf("cancelled in step %d", uint32(c)) }

// isCause: a kill says why, an end of a grace period in more words.
func isCause(got, want error) bool {
	return got == want || want == scheduler.ErrGraceOver && errors.Is(got, want)
}

// isDropped is Config.Dropped.
func (l *ledger) isDropped(tok fiber.Token, done ioqueue.Completion) {
	l.dropped = append(l.dropped, completed{tok, done})
}

// book enters one step of the model that the scheduler has followed.
func (l *ledger) book(r *Harness, from *spec.State, a spec.Action, to *spec.State, answer spec.Answer) {
	switch a.Kind {
	case spec.Spawn:
		l.wait[a.A], l.cause[a.A], l.verdict[a.A] = ending{}, nil, nil
		l.counts.Spawned++
	case spec.Acquire:
		l.wait[a.A] = ending{}
	case spec.Release:
		l.forfeit(from.Exec())
	case spec.ArmQueue, spec.ArmIO, spec.ArmTimer, spec.ArmOutside:
		l.bookArm(r, from, to)
	case spec.Disarm:
		w := &l.wait[from.Exec()]
		w.owed = false // a fiber that takes the wait back has its result
		if from.Contexts[from.Exec()].Latch == spec.Armed {
			l.endWait(w, w.result.Code)
		}
	case spec.Block:
		l.bookBlock(from.Exec(), answer)
	case spec.Deliver:
		if answer == spec.AnswerWoken || answer == spec.AnswerLatched {
			l.bookDelivery(r, a.Slot())
		}
	case spec.WakeID:
		l.bookWake(r, a.Slot())
	case spec.Expire:
		l.bookExpiry(r, from)
	case spec.IoDone:
		l.bookCompletion(r, from, a.Token(), answer)
	case spec.Cancel, spec.Kill:
		l.bookRequest(r, from, a)
	case spec.FailPinned:
		call, _ := from.Pump()
		l.endWait(&l.wait[call], fiber.Killed)
	}
	l.bookMoves(a)
	if a.Kind == spec.Kill || a.Kind == spec.Exit || a.Kind == spec.Next || a.Kind == spec.Expire || a.Kind == spec.Hold || a.Kind == spec.Pick {
		l.bookDeaths(r, from, a, to)
	}
	for x := range r.bounds.Slots() {
		if from.Contexts[x].Status != spec.Dead && to.Contexts[x].Status == spec.Dead && r.bounds.Retired(to, x) {
			l.counts.Retired++
		}
	}
	for k := range r.bounds.Tokens {
		if to.Tokens[k].State != spec.Orphan {
			l.asked[k] = false
		}
	}
}

func (l *ledger) bookArm(r *Harness, from, to *spec.State) {
	x := from.Exec()
	w := ending{ticket: r.names.ticket[x][newNumber(x, from, to)]}
	if r.host.Objects {
		w.objects = r.registrations(w.ticket)
	}
	if to.Contexts[x].Latch == spec.Latched {
		w.result.Code = fiber.OK
	}
	l.wait[x] = w
}

func (l *ledger) bookBlock(x spec.Slot, answer spec.Answer) {
	switch answer {
	case spec.AnswerCancelled:
		l.endWait(&l.wait[x], fiber.Cancelled)
	case spec.AnswerKilled:
		l.endWait(&l.wait[x], fiber.Killed)
	}
}

func (l *ledger) bookDelivery(r *Harness, x spec.Slot) {
	l.wait[x].result = r.result()
	l.wait[x].owed = l.wait[x].objects > 0
}

// bookWake: what waits on an object is woken by the object.
func (l *ledger) bookWake(r *Harness, x spec.Slot) {
	if l.wait[x].objects > 0 {
		l.bookDelivery(r, x)
		return
	}
	l.wait[x].result = fiber.Result{Code: fiber.OK}
}

// bookExpiry: the end of a Timer wait is what was waited for; the end of a grace period
// is a kill.
func (l *ledger) bookExpiry(r *Harness, from *spec.State) {
	if from.GraceIsNext() {
		l.bookRequest(r, from, spec.Action{Kind: spec.Kill, A: uint8(from.Grace)})
		if !from.Fibers[from.Grace].Doomed {
			l.cause[from.Grace] = scheduler.ErrGraceOver
		}
		return
	}
	d, _ := from.Earliest()
	t := from.Deadlines[d]
	code := fiber.TimedOut
	if t.Alone {
		code = fiber.OK
	}
	l.endWait(&l.wait[t.Holder], code)
}

func (l *ledger) bookCompletion(r *Harness, from *spec.State, k int, answer spec.Answer) {
	switch answer {
	case spec.AnswerEarly:
		l.kept[k] = r.completion()
	case spec.AnswerLate:
		l.due = append(l.due, completed{r.names.token[k], r.completion()})
	case spec.AnswerWoken, spec.AnswerLatched:
		l.wait[from.Tokens[k].Owner].result = fiber.Result{Code: fiber.OK}
	}
}

// bookRequest: the first cancel leaves its cause, and the first kill; each ends the
// wait of a parked chain.
func (l *ledger) bookRequest(r *Harness, from *spec.State, a spec.Action) {
	f := from.Root(a.Slot())
	root := &from.Fibers[f]
	top := &l.wait[from.Top(f)]
	parked := from.Contexts[from.Top(f)].Status.Blocked()
	switch {
	case root.Doomed || a.Kind == spec.Cancel && root.Cancel != spec.NotCancelled:
	case a.Kind == spec.Cancel:
		l.cause[f] = cause(r.step)
		if parked && root.Masks == 0 {
			l.endWait(top, fiber.Cancelled)
		}
	default:
		l.cause[f] = scheduler.ErrKilled
		if parked {
			l.endWait(top, fiber.Killed)
		}
	}
}

// endWait: when no delivery ends a wait, its objects are asked what they have assigned to it.
func (l *ledger) endWait(w *ending, code fiber.Code) {
	w.result = fiber.Result{Code: code}
	l.asks += w.objects
}

// bookDeaths: a fiber that dies leaves what it has not collected.
func (l *ledger) bookDeaths(r *Harness, from *spec.State, a spec.Action, to *spec.State) {
	for f := range r.bounds.Fibers {
		if from.Contexts[f].Status == spec.Dead || to.Contexts[f].Status != spec.Dead {
			continue
		}
		l.counts.Ended++
		if a.Kind != spec.Exit || from.Fibers[f].Doomed {
			l.counts.Killed++
		}
		l.forfeit(spec.Regular(f))
		if p := l.uncollected[f]; p.token != 0 {
			l.due = append(l.due, p)
			l.uncollected[f] = completed{}
		}
		if k, holds := from.TokenOf(spec.Regular(f)); holds && from.Tokens[k].State == spec.Done {
			l.due = append(l.due, completed{r.names.token[k], l.kept[k]})
		}
	}
}

// forfeit: what an object assigned to a fiber that has not claimed it is lost.
func (l *ledger) forfeit(x spec.Slot) {
	if w := &l.wait[x]; w.owed {
		w.owed = false
		l.counts.Lost++
		l.asks += w.objects
	}
}

// matchDropped compares what was dropped since the last time with what was due. Several
// fibers can die in one step; in which order they do is not the ledger's matter.
func (l *ledger) matchDropped() error {
	for _, p := range l.dropped {
		i := slices.Index(l.due, p)
		if i < 0 {
			return errorf("drops %+v of token %d; due are %v", p.done, p.token, l.due)
		}
		l.due = slices.Delete(l.due, i, i+1)
	}
	l.dropped = l.dropped[:0]
	if len(l.due) > 0 {
		return errorf("does not drop %v", l.due)
	}
	return nil
}
