package fiber_test

import (
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

func ExampleTime() {
	var now fiber.Time
	fmt.Println(now.After(90*time.Second), now.After(-time.Second))
	fmt.Println(fiber.Never)
	// Output:
	// 1m30s 0s
	// never
}

func ExampleToken() {
	var none fiber.Token
	read := fiber.Token(7) // package ioqueue hands them out
	fmt.Println(read != none, fiber.OnIO(read))
	// Output: true io(7)
}

func ExampleKind() {
	fmt.Println(fiber.NoWait, fiber.Queue, fiber.IO, fiber.Timer)
	// Output: nothing queue io timer
}

func ExampleReason() {
	deadline := fiber.Time(0).After(1500 * time.Millisecond)
	fmt.Println(fiber.OnQueue())
	fmt.Println(fiber.OnQueue().WithDeadline(deadline))
	fmt.Println(fiber.OnIO(7).WithDeadline(deadline))
	fmt.Println(fiber.Until(deadline))
	fmt.Println(fiber.OnQueue().FromOutside().External)
	// Output:
	// queue
	// queue by 1.5s
	// io(7) by 1.5s
	// timer(1.5s)
	// true
}

func ExampleCode() {
	for c := fiber.Pending; c <= fiber.Killed; c++ {
		fmt.Print(c, " ")
	}
	// Output: pending ok closed failed timeout cancelled killed
}

func ExampleResult() {
	// A select over three cases was ended by the last of them.
	r := fiber.Result{Code: fiber.OK, Value: 2}
	fmt.Println(r.Code, "by case", r.Value)
	// Output: ok by case 2
}

func ExampleWakeup() {
	var nobody fiber.Wakeup
	fmt.Println(nobody.IsZero())

	// What a channel decides on a send: this receiver, with its value waiting here.
	w := fiber.Wakeup{
		Ticket: fiber.Ticket{ID: fiber.NewRegularID(4, 1).ID(), Seq: 9},
		Result: fiber.Result{Code: fiber.OK},
	}
	fmt.Println(w.Ticket, w.Result.Code)
	// Output:
	// true
	// f4.1#9 ok
}

func ExampleDelivery() {
	for d := fiber.Woken; d <= fiber.WrongSource; d++ {
		fmt.Println(d, d.Accepted())
	}
	// Output:
	// woken true
	// latched true
	// stale false
	// gone false
	// wrong-source false
}

func ExampleOutcome() {
	for _, o := range []fiber.Outcome{
		{Kind: fiber.TimesliceExpired},
		fiber.BlockOn(fiber.OnQueue()),
		{Kind: fiber.Done},
	} {
		fmt.Println(o, o.Ends())
	}
	// Output:
	// timeslice-expired false
	// block(queue) false
	// done true
}

func ExampleOutcomeKind() {
	fmt.Println(fiber.FrameChanged, fiber.Panic, fiber.OSR)
	// Output: frame-changed panic osr
}

func ExamplePoint() {
	// Function 3 goes on at its instruction 40, in the second tier.
	fmt.Println(fiber.Replace(fiber.Point{Func: 3, PC: 40, Tier: 2}))
	// Output: osr(func 3, pc 40, tier 2)
}
