package spec_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/spec"
)

var config = spec.Config{Fibers: 2, Trampolines: 1, Tokens: 1, Tickets: 2}

// run applies actions to the first state.
func run(actions ...spec.Action) spec.State {
	s := config.Init()
	for _, a := range actions {
		s = config.Apply(s, a)
	}
	return s
}

var (
	f0, t0  = spec.Regular(0), spec.Trampoline(0)
	spawn   = spec.Action{Kind: spec.Spawn, A: uint8(f0)}
	next    = spec.Action{Kind: spec.Next}
	acquire = spec.Action{Kind: spec.Acquire, A: uint8(t0)}
	arm     = spec.Action{Kind: spec.ArmQueue}
	block   = spec.Action{Kind: spec.Block}
	deliver = spec.Action{Kind: spec.Deliver, A: uint8(f0)}
	submit  = spec.Action{Kind: spec.IoSubmit}
	armIO   = spec.Action{Kind: spec.ArmIO}
)

// A wake that comes before the block is not lost: the fiber is queued again instead.
func Example() {
	s := run(spawn, next, arm)
	s, answer := config.Do(s, deliver)
	fmt.Println(answer, s.Contexts[f0].Status)
	s, answer = config.Do(s, block)
	fmt.Println(answer, s.Contexts[f0].Status, s.Queue())
	// Output:
	// Latched Running
	// Requeued Runnable [f0]
}

func ExampleConfig() {
	fmt.Println(config.Valid())
	fmt.Println(errors.Is(spec.Config{Fibers: 1000, Tickets: 1}.Valid(), spec.ErrBounds))
	for x := range config.Slots() {
		fmt.Print(x, " ")
	}
	// Output:
	// <nil>
	// true
	// f0 f1 t0
}

func ExampleState() {
	s := run(spawn, next, acquire)
	fmt.Println("current", s.Current, "executing", s.Exec(), "chain", s.ChainOf(f0), "root of t0", s.Root(t0))
	// Output: current f0 executing t0 chain [t0] root of t0 f0
}

// When the top of a chain blocks the whole chain parks; only the top has a ticket.
func ExampleContext() {
	s := run(spawn, next, acquire, arm, block)
	for _, x := range []spec.Slot{f0, t0} {
		fmt.Println(x, s.Contexts[x].Status, s.Contexts[x].Latch, s.Contexts[x].Seq)
	}
	// Output:
	// f0 Blocked(Queue) unarmed -
	// t0 Blocked(Queue) unarmed 0
}

func ExampleFiber() {
	s := run(spawn, next, acquire, spec.Action{Kind: spec.Kill, A: uint8(t0)})
	f := s.Fibers[f0]
	fmt.Println("doomed", f.Doomed, "depth", f.Depth, "frameless", s.Frameless(f0))
	// Output: doomed true depth 1 frameless false
}

func ExampleToken() {
	s := run(spawn, next, submit, armIO, block)
	t := s.Tokens[0]
	fmt.Println(t.State, t.Owner, t.Waiter, s.Contexts[f0].Status)
	// Output: in flight f0 f0 Blocked(IO)
}

func ExampleSlot() {
	fmt.Println(spec.Regular(1), spec.Trampoline(0), spec.NoSlot, spec.Trampoline(0).IsTrampoline())
	// Output: f1 t0 - true
}

func ExampleNumber() {
	s := run(spawn, next)
	fmt.Println(s.Contexts[f0].Seq)
	s = config.Apply(s, arm)
	fmt.Println(s.Contexts[f0].Seq)
	// Output:
	// -
	// 0
}

func ExampleStatus() {
	fmt.Println(spec.BlockedIO, spec.BlockedIO.Blocked(), spec.Runnable.Blocked())
	// Output: Blocked(IO) true false
}

func ExampleLatch() {
	s := run(spawn, next, arm)
	fmt.Println(s.Contexts[f0].Latch)
	s = config.Apply(s, deliver)
	fmt.Println(s.Contexts[f0].Latch)
	// Output:
	// armed
	// latched
}

// A cancel that finds the fiber running waits for its next block.
func ExampleCancellation() {
	s := run(spawn, next, spec.Action{Kind: spec.Cancel, A: uint8(f0)}, arm)
	fmt.Println(s.Fibers[f0].Cancel)
	s, answer := config.Do(s, block)
	fmt.Println(answer, s.Fibers[f0].Cancel, s.Contexts[f0].Status)
	// Output:
	// pending
	// Cancelled taken Running
}

// A ticket outlives the fiber that armed it, and wakes no fiber.
func ExampleHand() {
	s := run(spawn, next, arm, spec.Action{Kind: spec.Disarm}, spec.Action{Kind: spec.Exit}, spawn)
	fmt.Println(s.Contexts[f0].Hands[0])
	_, answer := config.Do(s, deliver)
	fmt.Println(answer)
	// Output:
	// held from an earlier life
	// Gone
}

func ExampleTokenState() {
	s := run(spawn, next, submit)
	fmt.Println(s.Tokens[0].State)
	s = config.Apply(s, spec.Action{Kind: spec.Exit})
	fmt.Println(s.Tokens[0].State)
	// Output:
	// in flight
	// orphan
}

// Of two deadlines the earlier one comes first, and only while no fiber runs.
func ExampleDeadline() {
	timed := spec.Config{Fibers: 2, Tickets: 1, Deadlines: 2}
	s := timed.Init()
	for _, a := range []spec.Action{
		spawn, {Kind: spec.Spawn, A: 1},
		next, {Kind: spec.ArmTimer, A: 2}, block, next, {Kind: spec.ArmQueue, A: 1}, block,
	} {
		s = timed.Apply(s, a)
	}
	fmt.Println(s.Deadlines[0], s.Deadlines[1], s.Contexts[f0].Status)
	s = timed.Apply(s, spec.Action{Kind: spec.Expire})
	fmt.Println(s.Deadlines[0], s.Deadlines[1], s.Queue())
	// Output:
	// {f1 false} {f0 true} Blocked(Timer)
	// {- false} {f0 true} [f1]
}

// A walk of the twin as a process that Spin runs on the text of the machine.
func ExampleConfig_Trail() {
	c := spec.Config{Fibers: 6, Trampolines: 4, Tokens: 1, Tickets: 1}
	text, err := c.Trail([]spec.Action{
		{Kind: spec.Spawn, A: 4, B: 1}, {Kind: spec.Next}, {Kind: spec.Acquire, A: uint8(spec.Trampoline(3))},
		{Kind: spec.ArmQueue}, {Kind: spec.Deliver, A: uint8(spec.Trampoline(3))},
	})
	fmt.Print(text, err)
	// Output:
	// /* spin -T -DNF=1 -DNT=1 -DNK=0 -DNW=1 -DND=0 -DNM=0 -DNG=0 -DNP=0 -DNA=0 -DNL=0 -DNV=0 -DNO=0 -DNE=0 -DNQ=0 -DNR=0 -DNH=0 -DNX=0 -DBUG=0 -DTRAIL=FILE spec/scheduler.pml */
	// #define DID d_step { CHECK; SHOW SCRUB }
	//
	// active proctype trail() {
	// 	atomic { Spawn(0, 1); DID }	/* ACT Spawn f0 1 */
	// 	atomic { Next(); DID }	/* ACT Next */
	// 	atomic { Acquire(NF+0); DID }	/* ACT Acquire t0 */
	// 	atomic { ArmQueue(NIL); DID }	/* ACT ArmQueue */
	// 	atomic { Deliver(NF+0, 0); DID }	/* ACT Deliver t0 0 */
	// }
	// <nil>
}
