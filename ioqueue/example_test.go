package ioqueue_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

var reader = fiber.NewRegularID(1, 1)

// The life of one token: submitted, awaited, completed by the outside, taken.
func ExampleQueue() {
	q := ioqueue.New(0, 100, nil)
	token, _ := q.Submit(reader)
	q.Await(token, fiber.Ticket{ID: reader.ID(), Seq: 1})

	ticket, verdict := q.Complete(token, &ioqueue.Completion{N: 512})
	var result ioqueue.Completion
	q.Take(token, &result)
	fmt.Println(verdict, "to", ticket, "bytes", result.N)
	// Output: deliver to f1.1#1 bytes 512
}

// What the outside says twice, too late or about nothing is answered and changes
// nothing.
func ExampleVerdict() {
	q := ioqueue.New(0, 0, nil)
	token, _ := q.Submit(reader)
	for _, t := range []fiber.Token{token, token, 12345} {
		_, verdict := q.Complete(t, &ioqueue.Completion{})
		fmt.Println(verdict)
	}
	// Output:
	// early
	// duplicate
	// unknown
}

// A result that comes when its fiber is gone is handed to the hook, so that what it
// holds can be closed.
func ExampleCompletion() {
	closeIt := func(_ fiber.Token, c ioqueue.Completion) { fmt.Println("close", c.Value) }
	q := ioqueue.New(0, 0, closeIt)
	token, _ := q.Submit(reader)
	q.AbandonOwned(reader)
	q.Complete(token, &ioqueue.Completion{Value: "connection 7"})
	// Output: close connection 7
}

// Every token ends exactly once.
func ExampleCounters() {
	q := ioqueue.New(0, 0, nil)
	q.Submit(reader)
	second, _ := q.Submit(reader)
	q.Complete(second, &ioqueue.Completion{})
	c := q.Counters()
	fmt.Println(c.Submitted == c.Completed+c.Late+uint64(q.Outstanding()))
	// Output: true
}

// A fiber that comes when every token is given out waits in line, and gets the place that
// becomes free kept for it.
func ExampleRoom() {
	q := ioqueue.New(0, 1, nil)
	first, _ := q.Submit(reader)
	_, err := q.Submit(reader)
	fmt.Println(errors.Is(err, ioqueue.ErrFull))

	ticket := fiber.Ticket{ID: reader.ID(), Seq: 1}
	_ = q.Room().Park(ticket, 0)
	q.Complete(first, &ioqueue.Completion{})
	q.Take(first, new(ioqueue.Completion))
	for _, w := range q.Admit(nil) {
		_, err := q.SubmitReserved(reader, w.Ticket)
		fmt.Println(w.Ticket, err)
	}
	// Output:
	// true
	// f1.1#1 <nil>
}

// A cell is completed once and wakes every fiber that waits for it.
func ExampleCell() {
	var join ioqueue.Cell
	join.SetOwner(reader.ID())
	fmt.Println(join.Source().(fiber.Described).Describe())
	join.Park(fiber.Ticket{ID: fiber.NewRegularID(2, 1).ID(), Seq: 1}, 0)

	woken, _ := join.Complete(nil, errors.New("no such file"), nil)
	_, err, _ := join.Result()
	fmt.Println(woken[0].Ticket, "reads:", err)
	// Output:
	// the end of f1.1
	// f2.1#1 reads: no such file
}
