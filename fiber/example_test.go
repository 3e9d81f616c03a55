package fiber_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

func ExampleID() {
	id, err := fiber.ParseID("t7.2")
	fmt.Println(id, err)
	fmt.Println(id.Index(), id.Generation(), id.IsTrampoline())

	_, regular := id.Regular()
	fmt.Println("regular:", regular)

	_, err = fiber.ParseID("f7")
	fmt.Println(err)
	// Output:
	// t7.2 <nil>
	// 7 2 true
	// regular: false
	// fiber: bad encoding: "f7" is not a fiber ID; want f<slot>.<generation> or t<slot>.<generation>
}

func ExampleRegularID() {
	first := fiber.NewRegularID(12, 1)
	next := fiber.NewRegularID(12, 2) // the slot again, another fiber
	fmt.Println(first, next, first == next, first.Index() == next.Index())
	// Output: f12.1 f12.2 false true
}

func ExampleTrampolineID() {
	call := fiber.NewTrampolineID(0, 1)
	fmt.Println(call, call.ID().IsTrampoline(), call.ID() == fiber.NewRegularID(0, 1).ID())
	// Output: t0.1 true false
}

func ExampleRaw() {
	raw := fiber.NewTrampolineID(3, 9).ID().Raw()
	fmt.Printf("%x %d %v\n", uint32(raw), raw.Index(), raw.IsTrampoline()) // the generation is not in it
	// Output: 80000003 3 true
}

func ExampleTicket() {
	t := fiber.Ticket{ID: fiber.NewRegularID(12, 3).ID(), Seq: fiber.NewSeq(2, 40)}
	fmt.Println(t, "armed by scheduler", t.Scheduler())

	back, err := fiber.ParseTicket(t.AppendTo(nil))
	fmt.Println(back == t, err)
	// Output:
	// f12.3#2/40 armed by scheduler 2
	// true <nil>
}

func ExampleState() {
	for s := fiber.Dead; s <= fiber.Blocked; s++ {
		fmt.Println(s)
	}
	// Output:
	// dead
	// runnable
	// running
	// blocked
}
