package actor_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// play makes a system of the root, dispatches the messages, and prints what comes out.
func play(root spec, o options, msgs ...string) *actor.System[string] {
	sys, err := actor.New(scheduler.New[struct{}](scheduler.Config{}), nil, root, o)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	for _, m := range msgs {
		sys.Dispatch(m)
	}
	for out, err := range sys.All(context.Background()) {
		if err != nil {
			fmt.Println("-", err)
			return sys
		}
		fmt.Println(out)
	}
	return sys
}

// A greeter that says goodbye.
func Example() {
	play(root(func(cx *me, name string) {
		if name == "" {
			cx.Kill(cx.Self(), nil)
			return
		}
		cx.Send(actor.Output, "hello "+name)
	}), options{}, "Ada", "Edsger", "")
	// Output:
	// hello Ada
	// hello Edsger
}

func ExampleSystem() {
	sys := play(root(echo), options{}, "one", "two")
	fmt.Println(sys.Pending(), sys.Live(), sys.Ended())
	sys.Dispatch("three") // idle is not the end: it goes on
	out, err := sys.Next(context.Background())
	fmt.Println(out, err)
	// Output:
	// one
	// two
	// - actor: idle; all actors wait for messages
	// 0 1 false
	// three <nil>
}

// An actor spawns another one, and both answer.
func ExampleContext() {
	play(root(func(cx *me, msg string) {
		child, _ := cx.Spawn(named("child", func(cx *me, msg string) {
			cx.Send(actor.Output, fmt.Sprintf("%v got %s", cx.Self(), msg))
		}))
		cx.Send(child, msg+"!")
		cx.Send(actor.Output, fmt.Sprintf("%v spawned %v", cx.Self(), child))
	}), options{}, "go")
	// Output:
	// a1.1 spawned a2.1
	// a2.1 got go!
	// - actor: idle; all actors wait for messages
}

// counter is an actor with state.
type counter struct{ n int }

func (c *counter) Handle(cx *me, msg string) {
	c.n += len(msg)
	cx.Send(actor.Output, fmt.Sprint(c.n))
}

func ExampleHandler() {
	play(spec{New: func(*me) actor.Handler[string] { return &counter{} }}, options{}, "a", "bcd")
	// Output:
	// 1
	// 4
	// - actor: idle; all actors wait for messages
}

func ExampleHandlerFunc() {
	f := actor.HandlerFunc[string](func(cx *me, msg string) { cx.Send(actor.Output, msg+msg) })
	play(spec{New: actor.Stateless(f)}, options{}, "ha")
	// Output:
	// haha
	// - actor: idle; all actors wait for messages
}

func ExampleSpec() {
	_, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, actor.Spec[int]{Name: "empty"}, actor.Options[int]{})
	fmt.Println(err)
	// Output: actor: a Spec has either New or Start
}

func ExampleOptions() {
	play(root(func(cx *me, msg string) {
		_, err := cx.Spawn(named("", echo))
		cx.Send(actor.Output, fmt.Sprint(err))
	}), options{MaxActors: 1}, "x")
	// Output:
	// actor: too many actors; raise Options.MaxActors or kill some
	// - actor: idle; all actors wait for messages
}

func ExampleHandle() {
	h, err := actor.ParseHandle("a3.1")
	fmt.Println(h, err, actor.Output)
	_, err = actor.ParseHandle("Bob")
	fmt.Println(err)
	// Output:
	// a3.1 <nil> output
	// actor: "Bob" is no handle; want one like a3.1
}

func ExampleDeadLetter() {
	play(root(func(cx *me, msg string) { cx.Send(77, msg) }), options{
		DeadLetter: func(l actor.DeadLetter[string]) { fmt.Println(l.From, l.To, l.Msg, l.Why) },
	}, "hello?")
	// Output:
	// a1.1 a77.0 hello? actor: no such actor
	// - actor: idle; all actors wait for messages
}

func ExampleStats() {
	sys := play(root(echo), options{MaxQueue: 2}, "first", "does not fit: the root's spawn is in the queue")
	fmt.Printf("%+v\n", sys.Stats())
	// Output:
	// first
	// - actor: idle; all actors wait for messages
	// {Sent:3 Delivered:2 Dead:0 Rejected:1}
}

func ExampleDeath() {
	play(root(func(cx *me, msg string) { panic(msg) }), options{
		Ended: func(d actor.Death) { fmt.Println(d.Actor, d.Name, d.Failed, d.Cause) },
	}, "boom")
	// Output:
	// a1.1 root true panic: boom
	// - actor: a1.1 "root" failed: panic: boom
}

func ExampleDeathError() {
	sys := play(root(func(cx *me, msg string) { cx.Kill(cx.Self(), errors.New(msg)) }), options{}, "enough")
	_, err := sys.Next(context.Background())
	var death *actor.DeathError
	fmt.Println(errors.As(err, &death), death.Actor, death.Cause)
	// Output:
	// - actor: a1.1 "root" was killed: enough
	// true a1.1 enough
}

func Example_panic() {
	sys := play(root(func(*me, string) { panic(context.Canceled) }), options{}, "x")
	_, err := sys.Next(context.Background())
	var p *scheduler.PanicError
	fmt.Println(errors.As(err, &p), len(p.Stack) > 0, errors.Is(p, context.Canceled))
	// Output:
	// - actor: a1.1 "root" failed: panic: context canceled
	// true true true
}

func Example_goexit() {
	fmt.Println(&scheduler.PanicError{})
	// Output: runtime.Goexit was called
}

func ExampleOp() {
	fmt.Println(actor.OpSpawn, actor.OpSend, actor.OpKill, actor.OpFail)
	// Output: spawn send kill fail
}

func ExampleCommand() {
	c := actor.Command[string]{Op: actor.OpSend, From: actor.Outside, To: 3 | 1<<32, Msg: "hello"}
	fmt.Println(c.Op, c.From, c.To, c.Msg)
	// Output: send outside a3.1 hello
}

func ExampleSupervision() {
	r := root(nil)
	r.Supervise = actor.Supervision{Strategy: actor.OneForOne}
	r.New = func(cx *me) actor.Handler[string] {
		child, _ := cx.Spawn(spec{Name: "child", New: newFragile})
		return handler(func(cx *me, msg string) { cx.Send(child, msg) })
	}
	play(r, options{}, "a", "b", "boom", "c")
	// Output:
	// a2.1 a 1
	// a2.1 b 2
	// a2.1 c 1
	// - actor: idle; all actors wait for messages
}

// A parent with two children: the failure of one restarts both.
func ExampleStrategy() {
	r := root(nil)
	r.Supervise = actor.Supervision{Strategy: actor.AllForOne}
	r.New = func(cx *me) actor.Handler[string] {
		first, _ := cx.Spawn(spec{Name: "first", New: newFragile})
		second, _ := cx.Spawn(spec{Name: "second", New: newFragile})
		return handler(func(cx *me, msg string) {
			cx.Send(first, msg)
			if msg != "boom" {
				cx.Send(second, msg)
			}
		})
	}
	play(r, options{}, "a", "boom", "b")
	// Output:
	// a2.1 a 1
	// a3.1 a 1
	// a2.1 b 1
	// a3.1 b 1
	// - actor: idle; all actors wait for messages
}

func ExampleSystem_Use() {
	sys, _ := actor.New(scheduler.New[int](scheduler.Config{}), nil, root(echo), options{})
	remove := sys.Use(func(c *actor.Command[string]) bool {
		fmt.Printf("%v %v→%v %q\n", c.Op, c.From, c.To, c.Msg)
		return true
	})
	sys.Dispatch("hello")
	out, _ := sys.Next(context.Background())
	remove()
	fmt.Println(out)
	// Output:
	// spawn outside→a1.1 ""
	// send outside→a1.1 "hello"
	// send a1.1→output "hello"
	// hello
}

func ExamplePolicy() {
	r := root(echo)
	r.Inbox, r.Full = 2, actor.DropOldest
	play(r, options{}, "a", "b", "c", "d")
	// Output:
	// c
	// d
	// - actor: idle; all actors wait for messages
}

func ExampleContext_Room() {
	sys, _ := actor.New(scheduler.New[int](scheduler.Config{}), nil, spec{New: actor.Stateless(echo), Full: actor.BlockSender}, options{})
	fmt.Println("senders can wait:", sys.Outside().Room(sys.Input()) != nil)
	// Output: senders can wait: true
}

// An actor whose fiber is not resumed with what it waits for.
func ExampleSystem_Next_stuck() {
	sched := scheduler.New[int](scheduler.Config{})
	lost := spec{Name: "lost", Start: func(_ *me, o scheduler.Options) (fiber.ID, error) {
		id, err := sched.SpawnWith(0, o)
		return id.ID(), err
	}}
	sys, _ := actor.New(sched, scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue())
	}), lost, options{})
	_, err := sys.Next(context.Background())
	fmt.Print(err)
	// Output:
	// actor: idle; 1 of 1 fibers wait for what nothing is left to bring
	//   f0.1 "lost" waits on no object; no wake-up can come
}
