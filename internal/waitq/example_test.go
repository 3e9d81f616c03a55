package waitq_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Two fibers wait; the value goes to the first and stays until it comes for it.
func ExampleQueue() {
	first := fiber.Ticket{ID: fiber.NewRegularID(0, 1).ID(), Seq: 1}
	second := fiber.Ticket{ID: fiber.NewRegularID(1, 1).ID(), Seq: 2}
	var q waitq.Queue[string]
	q.Push(first, 0, "")
	q.Push(second, 0, "")

	woken, _, _ := q.Match("hello")
	fmt.Println(woken, q.Assigned(), q.Waiting())
	v, _, _ := q.Collect(woken)
	fmt.Println(v, q.Assigned(), q.Waiting())
	// Output:
	// f0.1#1 1 1
	// hello 0 1
}
