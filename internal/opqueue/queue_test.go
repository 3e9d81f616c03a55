package opqueue

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

var (
	alice = fiber.NewRegularID(3, 1)
	bob   = fiber.NewRegularID(5, 1)
)

func waitOf(id fiber.RegularID, seq uint64) fiber.Ticket {
	return fiber.Ticket{ID: id.ID(), Seq: seq}
}

func submit(t *testing.T, q *Queue, owner fiber.RegularID) fiber.Token {
	t.Helper()
	token, err := q.Submit(owner)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestACompletionBeforeTheAwaitIsKept(t *testing.T) {
	q := New(0, 0, nil)
	token := submit(t, q, alice)
	if _, v := complete(q, token, ioqueue.Completion{N: 7}); v != ioqueue.Early {
		t.Fatalf("verdict %v, want early", v)
	}
	early, err := q.Await(token, waitOf(alice, 1))
	if !early || err != nil {
		t.Fatalf("Await = %v %v; the completion was lost", early, err)
	}
	if c, ok := take(q, token); !ok || c.N != 7 {
		t.Fatalf("Take = %+v %v", c, ok)
	}
}

func TestAnAwaitTakenBackLeavesTheOperationInFlight(t *testing.T) {
	q := New(0, 0, nil)
	token := submit(t, q, alice)
	q.Await(token, waitOf(alice, 1))
	if err := q.Unawait(token); err != nil || q.Awaiting() != 0 {
		t.Fatalf("Unawait: %v, awaiting %d", err, q.Awaiting())
	}
	if _, v := complete(q, token, ioqueue.Completion{}); v != ioqueue.Early {
		t.Fatalf("verdict %v: a disarmed wait was delivered", v)
	}
}

// The short form of Await is for the one case in which there is nothing to decide.
func TestAwaitInFlightAwaitsAnOperationInFlightAndElseDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(q *Queue, token fiber.Token)
		ticket    fiber.Ticket
		want      bool
	}{
		"in flight":          {func(*Queue, fiber.Token) {}, waitOf(alice, 2), true},
		"of somebody else":   {func(*Queue, fiber.Token) {}, waitOf(bob, 2), false},
		"complete":           {func(q *Queue, token fiber.Token) { complete(q, token, ioqueue.Completion{}) }, waitOf(alice, 2), false},
		"awaited already":    {func(q *Queue, token fiber.Token) { q.Await(token, waitOf(alice, 1)) }, waitOf(alice, 2), false},
		"attached to a cell": {func(q *Queue, token fiber.Token) { q.Attach(token, new(ioqueue.Cell)) }, waitOf(alice, 2), false},
		"given up":           {func(q *Queue, token fiber.Token) { q.Abandon(token) }, waitOf(alice, 2), false},
	} {
		t.Run(name, func(t *testing.T) {
			q := New(0, 0, nil)
			token := submit(t, q, alice)
			c.meanwhile(q, token)
			before, awaiting := *q.live(token), q.Awaiting()
			if got := q.AwaitInFlight(token, c.ticket); got != c.want {
				t.Fatalf("AwaitInFlight = %v", got)
			}
			if !c.want {
				if *q.live(token) != before || q.Awaiting() != awaiting {
					t.Fatalf("it said no and made %+v of %+v", *q.live(token), before)
				}
				return
			}
			if ticket, v := complete(q, token, ioqueue.Completion{}); q.Awaiting() != 0 || v != ioqueue.Deliver || ticket != c.ticket {
				t.Fatalf("the end is %v for %v, and %d are awaited", v, ticket, q.Awaiting())
			}
		})
	}
	if q := New(0, 0, nil); q.AwaitInFlight(1, waitOf(alice, 1)) || q.Awaiting() != 0 {
		t.Error("a token was awaited that never was")
	}
}

func TestOnlyTheSubmitterAwaitsItsToken(t *testing.T) {
	q := New(0, 0, nil)
	token := submit(t, q, alice)
	for name, ticket := range map[string]fiber.Ticket{
		"another fiber":          waitOf(bob, 1),
		"a later generation":     waitOf(fiber.NewRegularID(3, 2), 1),
		"a trampoline (I8)":      {ID: fiber.NewTrampolineID(3, 1).ID(), Seq: 1},
		"nobody, a zero ticket,": {},
	} {
		if early, err := q.Await(token, ticket); early || !errors.Is(err, ioqueue.ErrNotOwner) {
			t.Errorf("%s awaits: %v, %v", name, early, err)
		}
	}
	if q.Awaiting() != 0 {
		t.Fatal("a refused Await counts")
	}
}

func TestOnlyRegularFibersOwnTokens(t *testing.T) {
	q := New(0, 0, nil)
	trampoline := fiber.RegularID(fiber.NewTrampolineID(1, 1))
	for _, owner := range []fiber.RegularID{0, trampoline} {
		if tok, err := q.Submit(owner); !errors.Is(err, ioqueue.ErrNotOwner) || tok != 0 {
			t.Errorf("Submit by %v: %v, %v", owner, tok, err)
		}
	}
}

func TestTheDeadDoNotBequeathTokensToTheNextGeneration(t *testing.T) {
	q := New(0, 0, nil)
	submit(t, q, alice)
	next := fiber.NewRegularID(alice.Index(), 2)
	if tok, err := q.Submit(next); !errors.Is(err, ErrForgottenOwner) || tok != 0 {
		t.Fatalf("Submit over forgotten tokens: %v, %v", tok, err)
	}
	if n := q.AbandonOwned(next); n != 0 {
		t.Fatalf("abandoned %d tokens of somebody else", n)
	}
	q.AbandonOwned(alice)
	submit(t, q, next)
	if n := q.AbandonOwned(bob); n != 0 {
		t.Fatalf("a fiber that submitted nothing had %d tokens", n)
	}
}

func TestAQueueWithoutALimitHasTheDefault(t *testing.T) {
	q := New(0, 0, nil)
	for range 1 << 20 {
		submit(t, q, alice)
	}
	if tok, err := q.Submit(alice); !errors.Is(err, ioqueue.ErrFull) || tok != 0 {
		t.Errorf("one more: %v, %v", tok, err)
	}
}

func TestTheLimitIsReportedAndAnOrphanStillCounts(t *testing.T) {
	q := New(0, 2, nil)
	first := submit(t, q, alice)
	submit(t, q, alice)
	q.AbandonOwned(alice)
	if _, err := q.Submit(bob); !errors.Is(err, ioqueue.ErrFull) {
		t.Fatalf("Submit over the limit: %v", err)
	}
	if _, v := complete(q, first, ioqueue.Completion{}); v != ioqueue.Late {
		t.Fatalf("verdict %v, want late", v)
	}
	submit(t, q, bob)
	if c := q.Counters(); c.Refused != 1 || c.Late != 1 || c.Submitted != 3 {
		t.Fatalf("%+v", c)
	}
}

// The outside is told once to cancel, whatever was acknowledged meanwhile.
func TestATokenGivenUpIsToBeCancelledOnce(t *testing.T) {
	q := New(0, 0, nil)
	first, second, third := submit(t, q, alice), submit(t, q, alice), submit(t, q, bob)
	q.AbandonOwned(alice)
	told := q.Cancellations(nil)
	if want := []fiber.Token{first, second}; !slices.Equal(told, want) || len(q.Cancellations(nil)) != 0 {
		t.Fatalf("to be cancelled are %v, want %v, and then none", told, want)
	}
	q.AbandonOwned(bob)
	for _, token := range told {
		if _, v := complete(q, token, ioqueue.Completion{}); v != ioqueue.Late {
			t.Fatalf("verdict %v, want late", v)
		}
		if err := check(q); err != nil {
			t.Fatal(err)
		}
	}
	if got := q.Cancellations(nil); !slices.Equal(got, []fiber.Token{third}) {
		t.Fatalf("to be cancelled are %v, want %v", got, third)
	}
}

func TestALateCompletionDoesNotReachTheNextUserOfTheSlot(t *testing.T) {
	q := New(0, 0, nil)
	old := submit(t, q, alice)
	complete(q, old, ioqueue.Completion{})
	take(q, old)
	token := submit(t, q, bob)
	q.Await(token, waitOf(bob, 1))
	if old&maxIndex != token&maxIndex {
		t.Fatal("the slot was not used again; the test proves nothing")
	}
	if _, v := complete(q, old, ioqueue.Completion{}); v != ioqueue.Duplicate || q.Awaiting() != 1 {
		t.Fatalf("verdict %v, awaiting %d", v, q.Awaiting())
	}
}

func TestASlotIsRetiredBeforeATokenRepeats(t *testing.T) {
	q := New(0, 1, nil)
	token := submit(t, q, alice)
	s, i := q.live(token), ioqueue.SlotOf(token)
	last := q.token(i, maxCount)
	s.name = last
	complete(q, last, ioqueue.Completion{})
	if _, ok := take(q, last); !ok {
		t.Fatal("the last token of the slot has no result")
	}
	next := submit(t, q, alice)
	if next&maxIndex == last&maxIndex {
		t.Fatalf("slot %d was used again after its last count", i)
	}
	if _, v := complete(q, last, ioqueue.Completion{}); v != ioqueue.Duplicate {
		t.Fatalf("verdict %v for the retired slot, want duplicate", v)
	}
	if err := check(q); err != nil {
		t.Fatal(err)
	}
}

func TestVerdictsAndDefaultsAreNamed(t *testing.T) {
	for v, want := range []string{"nothing", "deliver", "early", "attached", "late", "duplicate", "unknown", "invalid verdict"} {
		if got := ioqueue.Verdict(v).String(); got != want {
			t.Errorf("verdict %d is %q, want %q", v, got, want)
		}
	}
	if q := New(0, 1<<30, nil); q.limit != maxIndex {
		t.Fatalf("limit %d cannot be numbered", q.limit)
	}
}

// Both have given out their first token; neither is the other's.
func TestATokenOfAnotherSchedulersQueueIsNoneHere(t *testing.T) {
	here, there := New(1, 0, nil), New(2, 0, nil)
	owner := fiber.NewRegularID(0, 1)
	mine, _ := here.Submit(owner)
	other, _ := there.Submit(owner)
	if _, v := complete(here, other, ioqueue.Completion{}); v != ioqueue.Unknown || mine == other {
		t.Errorf("%v is %v where %v is outstanding", other, v, mine)
	}
	if _, ok := take(here, other); ok || here.Owner(other) != 0 || here.Outstanding() != 1 {
		t.Error("it was taken for the queue's own")
	}
	if _, v := complete(here, mine, ioqueue.Completion{}); v != ioqueue.Early {
		t.Errorf("its own is %v", v)
	}
}

// The layout has room for every number of a scheduler, the highest too.
func TestAQueueOfTheHighestNumberKnowsItsTokens(t *testing.T) {
	q := New(1<<16-1, 4, nil)
	tok, err := q.Submit(alice)
	if err != nil || uint64(tok)>>48 != 1<<16-1 || ioqueue.SlotOf(tok) == 0 {
		t.Fatalf("token %#x, %v", uint64(tok), err)
	}
	if _, v := complete(q, tok, ioqueue.Completion{N: 7}); v != ioqueue.Early {
		t.Errorf("its completion is %v", v)
	}
	if done, ok := take(q, tok); !ok || done.N != 7 {
		t.Errorf("it took %v, %v", done, ok)
	}
	if next := submit(t, q, alice); ioqueue.SlotOf(next) != ioqueue.SlotOf(tok) || next == tok {
		t.Errorf("after %#x the slot has %#x", uint64(tok), uint64(next))
	}
	if _, v := complete(q, tok, ioqueue.Completion{}); v != ioqueue.Duplicate {
		t.Errorf("its second completion is %v", v)
	}
}
