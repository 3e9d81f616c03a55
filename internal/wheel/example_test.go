package wheel_test

import (
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// Timers come in deadline order, never early; equal ones as they were registered.
func ExampleWheel() {
	var w wheel.Wheel
	second := fiber.Time(time.Second)
	w.Add(wheel.Entry{Deadline: 2 * second, Ticket: fiber.Ticket{ID: 1 << 32, Seq: 1}})
	w.Add(wheel.Entry{Deadline: second, Ticket: fiber.Ticket{ID: 1 << 32, Seq: 2}})
	w.Add(wheel.Entry{Deadline: second, Ticket: fiber.Ticket{ID: 1 << 32, Seq: 3}})

	next, _ := w.Next(func(wheel.Entry) bool { return true })
	fmt.Println("sleep until", next)
	for e, ok := w.PopDue(next); ok; e, ok = w.PopDue(next) {
		fmt.Println(e.Ticket)
	}
	// Output:
	// sleep until 1s
	// f0.1#2
	// f0.1#3
}
