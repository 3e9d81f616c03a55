package island_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// counter is a machine whose fibers end at once with their payload as the result.
var counter = scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
	s.SetResult(f.Data, nil)
	return fiber.Outcome{Kind: fiber.Done}
})

// An island on a goroutine of its own, on which other islands may spawn fibers.
func ExampleStart() {
	r := new(island.Registry)
	h, err := island.Start(r, island.StartConfig[int]{
		Config:  island.Config{Name: "workers"},
		Machine: counter,
		Spawn: map[string]func([]byte) (int, scheduler.Options, error){
			"count": func(args []byte) (int, scheduler.Options, error) { return len(args), scheduler.Options{}, nil },
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	id, err := h.Do(context.Background(), island.Spawn(h.Address(), "count", []byte("abc")))
	fmt.Println(h.Address(), id, err)
	h.Shutdown(errors.New("enough"))
	fmt.Println(h.Wait(context.Background()))
	// Output:
	// island 1.1 f0.1 <nil>
	// enough
}

// The Handle gives the owner the scheduler, and other goroutines Shutdown and Wait.
func ExampleHandle() {
	h, _ := island.Start(new(island.Registry), island.StartConfig[int]{
		Config:  island.Config{Name: "once"},
		Machine: counter,
		Begin: func(h *island.Handle[int]) error {
			_, err := h.Scheduler.Spawn(7)
			return err
		},
	})
	fmt.Println(h.Wait(context.Background())) // it has no programs, so it ends with its fibers
	// Output: <nil>
}

// The Machine is required: it runs the fibers.
func ExampleStartConfig() {
	_, err := island.Start(new(island.Registry), island.StartConfig[int]{})
	fmt.Println(err)
	// Output: island: invalid request: StartConfig.Machine is nil
}

// join makes an island of a scheduler that the example drives itself.
func join(r *island.Registry, cfg island.Config) (*island.Island, *scheduler.Scheduler[int]) {
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	i, err := r.Join(&s.Core, cfg)
	if err != nil {
		fmt.Println(err)
	}
	return i, s
}

// Any scheduler can join; its owner goes on driving it as before.
func ExampleRegistry() {
	r := new(island.Registry)
	i, _ := join(r, island.Config{Name: "first"})
	join(r, island.Config{Name: "second"})
	for _, i := range r.Islands() {
		fmt.Println(i.Name(), i.Address())
	}
	i.Leave(nil)
	_, err := r.Find("first")
	fmt.Println(err)
	// Output:
	// first island 1.1
	// second island 2.2
	// island: no such island or port (or it has a later incarnation): "first"
}

func ExampleIsland() {
	r := new(island.Registry)
	i, s := join(r, island.Config{Name: "north"})
	_ = i.Post(island.Shutdown(i.Address(), "the end")) // from any goroutine
	s.Poll()                                            // the owner sees it
	fmt.Println(i.Counts())                             // executed, refused
	// Output: 1 0
}

func ExampleConfig() {
	r := new(island.Registry)
	join(r, island.Config{Name: "north"})
	join(r, island.Config{Name: "north"})
	// Output: island: the name or number is in use by another island: the name "north"
}

func ExampleCommand() {
	r := new(island.Registry)
	i, s := join(r, island.Config{Name: "north"})
	cmd := island.Shutdown(i.Address(), "the end")
	frame, _ := cmd.AppendTo(nil) // for another process

	cmd, _ = island.ParseCommand(frame)
	_ = i.Post(cmd)
	s.Poll()
	fmt.Println(i.Counts())
	frame[10] ^= 1
	_, err := island.ParseCommand(frame)
	fmt.Println(err)
	// Output:
	// 1 0
	// island: malformed frame: wrong checksum
}

func ExampleAddress() {
	fmt.Println(island.Address{Island: 3, Incarnation: 2})
	// Output: island 3.2
}

func ExampleDownError() {
	r := new(island.Registry)
	north, _ := join(r, island.Config{Name: "north"})
	south, _ := join(r, island.Config{Name: "south"})
	_, _ = island.Open[int](north, "letters", 4)
	out, _ := island.Dial[int](south, "letters")
	north.Leave(errors.New("storm"))
	var down *island.DownError
	fmt.Println(errors.As(out.Err(), &down), down.Name, down.Cause)
	// Output: true north storm
}

// Fibers of another island send to a port; those of its own receive.
func ExamplePort() {
	r := new(island.Registry)
	north, n := join(r, island.Config{Name: "north"})
	south, _ := join(r, island.Config{Name: "south"})
	letters, _ := island.Open[string](north, "letters", 4)
	out, _ := island.Dial[string](south, "letters")

	_, _ = out.TrySend("hello")
	_ = out.Close()
	letters.Seal()
	n.Poll()
	for v, status := letters.TryRecv(); status == wait.Received; v, status = letters.TryRecv() {
		fmt.Println(v)
	}
	_, status := letters.TryRecv()
	fmt.Println(status)
	// Output:
	// hello
	// closed
}

// A Sender holds as many values as the port's capacity says.
func ExampleSender() {
	r := new(island.Registry)
	north, _ := join(r, island.Config{Name: "north"})
	south, _ := join(r, island.Config{Name: "south"})
	_, _ = island.Open[int](north, "numbers", 2)
	out, _ := island.Dial[int](south, "numbers")
	for v := range 3 {
		fmt.Println(out.TrySend(v))
	}
	// Output:
	// true <nil>
	// true <nil>
	// false <nil>
}

// Both ends of a port can be cases of a select, together with local channels.
func ExampleReceive() {
	r := new(island.Registry)
	north, n := join(r, island.Config{Name: "north"})
	port, _ := island.Open[int](north, "numbers", 1)
	out, _ := island.Dial[int](north, "numbers")
	local := wait.NewChan[int](1)
	_, _ = out.TrySend(42)
	n.Poll()

	fromPort := island.RecvFrom(port)
	i, _, ok := wait.NewSelect(wait.RecvFrom(local), fromPort).Poll(n.Inspect().Random())
	v, _ := fromPort.Value()
	fmt.Println(i, ok, v)
	// Output: 1 true 42
}

func ExampleSend() {
	r := new(island.Registry)
	north, n := join(r, island.Config{Name: "north"})
	_, _ = island.Open[int](north, "numbers", 1)
	out, _ := island.Dial[int](north, "numbers")
	send := island.SendTo(out, 42)
	sel := wait.NewSelect(send)
	_, _, ok := sel.Poll(n.Inspect().Random())
	_, _, again := sel.Poll(n.Inspect().Random())
	fmt.Println(ok, send.Err(), again)
	// Output: true <nil> false
}

// points are cloned when they are sent.
type points []int

func (p points) Clone() points { return append(points(nil), p...) }

func ExampleCloner() {
	north, _ := join(new(island.Registry), island.Config{Name: "north"})
	_, err := island.Open[[]int](north, "shared", 1)
	fmt.Println(err)
	_, err = island.Open[points](north, "copied", 1)
	fmt.Println(err)
	// Output:
	// island: values of this type would be shared between islands: []int has pointers; give it a Clone or Move method, or send an island.Box
	// <nil>
}

// page is moved when it is sent.
type page struct{ text *string }

func (p *page) Move() page {
	given := *p
	p.text = nil
	return given
}

func ExampleMover() {
	north, _ := join(new(island.Registry), island.Config{Name: "north"})
	_, err := island.Open[page](north, "pages", 1)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleBox() {
	r := new(island.Registry)
	north, n := join(r, island.Config{Name: "north"})
	port, _ := island.Open[island.Box[[]byte]](north, "boxes", 1)
	out, _ := island.Dial[island.Box[[]byte]](north, "boxes")
	box := island.NewBox([]byte("anything"))
	_, _ = out.TrySend(box)
	n.Poll()
	_, mine := box.Take()
	got, _ := port.TryRecv()
	v, _ := got.Take()
	fmt.Println(mine, string(v))
	// Output: false anything
}

// Two islands each of which waits for the other to begin.
func ExampleDeadlockError() {
	r := new(island.Registry)
	north, n := join(r, island.Config{Name: "north"})
	south, s := join(r, island.Config{Name: "south"})
	toNorth, _ := island.Open[int](north, "to north", 1)
	toSouth, _ := island.Open[int](south, "to south", 1)
	_, _ = island.Dial[int](south, "to north")
	_, _ = island.Dial[int](north, "to south")
	n.Poll()
	s.Poll()
	toNorth.Seal()
	toSouth.Seal()

	waitAt := func(p *island.Port[int], arm func() fiber.Ticket, block func()) {
		_ = p.ParkRecv(arm(), 0)
		block()
	}
	_, _ = n.Spawn(0)
	n.Poll()
	n.ScheduleNext()
	waitAt(toNorth, func() fiber.Ticket { return n.Arm(fiber.OnQueue(), toNorth.Source()) }, func() { n.Block() })
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	waitAt(toSouth, func() fiber.Ticket { return s.Arm(fiber.OnQueue(), toSouth.Source()) }, func() { s.Block() })

	north.Probe()
	for range 3 {
		s.Poll()
		n.Poll()
	}
	fmt.Println(north.Deadlock())
	// Output:
	// deadlock across 2 islands: each waits for what only others of them could send
	// cycle: north → south → north
	// north (island 1.1) waits for south
	//   f0.1 waits on port "to north" (senders: 1, receivers waiting: 1); could be woken by any peer
	// south (island 2.2) waits for north
	//   f0.1 waits on port "to south" (senders: 1, receivers waiting: 1); could be woken by any peer
}

func ExampleBlockedIsland() {
	f := island.BlockedIsland{Name: "north", WaitsFor: []string{"south"}}
	fmt.Println(f.Name, "waits for", f.WaitsFor)
	// Output: north waits for [south]
}
