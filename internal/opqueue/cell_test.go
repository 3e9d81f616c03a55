package opqueue

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

var errDisk = errors.New("disk on fire")

func TestACellTakesTheResultOfAnOperation(t *testing.T) {
	for name, early := range map[string]bool{"before": true, "after": false} {
		t.Run("completed "+name+" the attach", func(t *testing.T) {
			q, c := New(0, 0, nil), &ioqueue.Cell{}
			token := submit(t, q, alice)
			c.Park(waitOf(bob, 1), 4)
			result := ioqueue.Completion{N: 3, Err: errDisk}
			if early {
				complete(q, token, result)
			}
			if got, err := q.Attach(token, c); got != early || err != nil {
				t.Fatalf("Attach = %v %v", got, err)
			}
			if !early {
				if _, v := complete(q, token, result); v != ioqueue.Attached || q.Awaiting() != 0 {
					t.Fatalf("verdict %v, awaiting %d", v, q.Awaiting())
				}
			}
			if _, ok := take(q, token); ok {
				t.Fatal("the result was taken past the cell")
			}
			woken := q.Settle(token, nil)
			if len(woken) != 1 || woken[0].Ticket != waitOf(bob, 1) || woken[0].Result.Value != 4 {
				t.Fatalf("woken %v", woken)
			}
			if v, err, _ := c.Result(); v != any(result) || !errors.Is(err, errDisk) {
				t.Fatalf("result %v %v", v, err)
			}
		})
	}
}

func TestSettleLeavesAloneWhatHasNoResultForACell(t *testing.T) {
	for name, meanwhile := range map[string]func(q *Queue, token fiber.Token){
		"in flight": func(*Queue, fiber.Token) {},
		"complete":  func(q *Queue, token fiber.Token) { complete(q, token, ioqueue.Completion{N: 1}) },
		"awaited":   func(q *Queue, token fiber.Token) { q.Await(token, waitOf(alice, 1)) },
		"ready for its owner": func(q *Queue, token fiber.Token) {
			q.Await(token, waitOf(alice, 1))
			complete(q, token, ioqueue.Completion{N: 1})
		},
		"attached, not at end": func(q *Queue, token fiber.Token) { q.Attach(token, new(ioqueue.Cell)) },
		"given up":             func(q *Queue, token fiber.Token) { q.Abandon(token) },
	} {
		t.Run(name, func(t *testing.T) {
			q := New(0, 0, nil)
			token := submit(t, q, alice)
			meanwhile(q, token)
			s := q.live(token)
			before := *s
			q.Settle(token, nil)
			if *s != before || q.live(token) != s {
				t.Fatalf("it made %+v of %+v", *s, before)
			}
			if err := check(q); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestACellOutlivesTheFiberThatSubmitted(t *testing.T) {
	q, c := New(0, 0, nil), &ioqueue.Cell{}
	token := submit(t, q, alice)
	q.Attach(token, c)
	c.Park(waitOf(bob, 1), 0)
	q.AbandonOwned(alice)
	if woken := q.FailCells(nil); len(woken) != 1 || woken[0].Ticket != waitOf(bob, 1) {
		t.Fatalf("woken %v; the waiter would never wake", woken)
	}
	if _, err, _ := c.Result(); !errors.Is(err, ioqueue.ErrAbandoned) {
		t.Fatalf("result %v", err)
	}
	if q.FailCells(nil) != nil {
		t.Fatal("failed twice")
	}
}

func TestAResultForACellThatIsAlreadyCompleteIsDroppedNotLost(t *testing.T) {
	var dropped []ioqueue.Completion
	q, c := New(0, 0, func(_ fiber.Token, c ioqueue.Completion) { dropped = append(dropped, c) }), &ioqueue.Cell{}
	token := submit(t, q, alice)
	q.Attach(token, c)
	c.Complete("mine", nil, nil)
	complete(q, token, ioqueue.Completion{N: 9})
	q.Settle(token, nil)
	if v, _, _ := c.Result(); v != "mine" {
		t.Fatalf("the cell now holds %v", v)
	}
	if len(dropped) != 1 || dropped[0].N != 9 || q.Counters().Dropped != 1 {
		t.Fatalf("dropped %v, counted %d", dropped, q.Counters().Dropped)
	}
}
