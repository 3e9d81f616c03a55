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

// An island on a goroutine of its own, on which others may spawn.
func ExampleStart() {
	r := new(island.Registry)
	h, err := island.Start(r, island.Plan[int]{
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
	fmt.Println(island.ID{At: h.Address(), Fiber: id}, err)
	h.Shutdown(errors.New("enough"))
	fmt.Println(h.Wait(context.Background()))
	// Output:
	// f0.1 on island 1.1 <nil>
	// enough
}

// A Home is what Start gives: the island, and its scheduler for the owner.
func ExampleHome() {
	h, _ := island.Start(new(island.Registry), island.Plan[int]{
		Config:  island.Config{Name: "once"},
		Machine: counter,
		Begin: func(h *island.Home[int]) error {
			_, err := h.Scheduler.Spawn(7)
			return err
		},
	})
	fmt.Println(h.Wait(context.Background())) // nobody else can spawn here: it ends with its fibers
	// Output: <nil>
}

// A Plan says what runs the fibers; without that there is no island.
func ExamplePlan() {
	_, err := island.Start(new(island.Registry), island.Plan[int]{})
	fmt.Println(err)
	// Output: island: bad request: Plan.Machine is nil; it runs the fibers
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
	// island: no such island (or a later one has its number): "first"
}

func ExampleIsland() {
	r := new(island.Registry)
	i, s := join(r, island.Config{Name: "north"})
	_ = i.Post(island.ShutDown(i.Address(), "the end")) // from any goroutine
	s.Poll()                                            // the owner sees it
	fmt.Println(i.Counts())
	// Output: {1 0}
}

func ExampleConfig() {
	r := new(island.Registry)
	join(r, island.Config{Name: "north"})
	join(r, island.Config{Name: "north"})
	// Output: island: taken by another island: the name "north"
}

func ExampleCounts() {
	r := new(island.Registry)
	i, s := join(r, island.Config{Name: "north"})
	_ = i.Post(island.Spawn(i.Address(), "nothing", nil))
	s.Poll()
	fmt.Printf("%+v\n", i.Counts())
	// Output: {Done:0 Refused:1}
}

// A Program makes a fiber out of bytes that come from anywhere.
func ExampleProgram() {
	r := new(island.Registry)
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	var double island.Program = func(args []byte) (fiber.RegularID, error) { return s.Spawn(2 * len(args)) }
	i, _ := r.Join(&s.Core, island.Config{Name: "north", Programs: map[string]island.Program{"double": double}})
	_ = i.Post(island.Spawn(i.Address(), "double", []byte("abc")))
	s.Poll()
	fmt.Println(s.ScheduleNext().Data)
	// Output: 6
}

func ExampleCommand() {
	cmd := island.Spawn(island.Address{Island: 3, Incarnation: 1}, "count", []byte("abc"))
	frame, _ := cmd.AppendTo(nil)
	again, err := island.ParseCommand(frame)
	fmt.Println(again.Kind, again.To, again.Name, string(again.Body), err)
	frame[10] ^= 1
	_, err = island.ParseCommand(frame)
	fmt.Println(err)
	// Output:
	// spawn island 3.1 count abc <nil>
	// island: not a frame: the checksum is wrong
}

func ExampleKind() {
	fmt.Println(island.SpawnFiber, island.WakeFiber, island.Cancel, island.Shutdown)
	// Output: spawn wake cancel shutdown
}

func ExampleAddress() {
	fmt.Println(island.Address{Island: 3, Incarnation: 2})
	// Output: island 3.2
}

func ExampleID() {
	fmt.Println(island.ID{At: island.Address{Island: 3, Incarnation: 2}, Fiber: fiber.NewRegularID(5, 1).ID()})
	// Output: f5.1 on island 3.2
}

// A ticket that leaves its process says whose it is.
func ExampleTicket() {
	r := new(island.Registry)
	i, s := join(r, island.Config{Name: "north"})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	t, _ := s.BlockForQueue()
	cmd := island.Wake(i.TicketOf(t), fiber.Result{Code: fiber.OK})
	_ = i.Post(cmd)
	_ = i.Post(cmd) // the second comes too late
	s.Poll()
	fmt.Printf("%+v\n", i.Counts())
	// Output: {Done:1 Refused:1}
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

// Both ends of a port are cases of a select, beside local channels.
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

// points are copied when they pass: both sides have their own.
type points []int

func (p points) Clone() points { return append(points(nil), p...) }

func ExampleCloner() {
	north, _ := join(new(island.Registry), island.Config{Name: "north"})
	_, err := island.Open[[]int](north, "shared", 1)
	fmt.Println(err)
	_, err = island.Open[points](north, "copied", 1)
	fmt.Println(err)
	// Output:
	// island: values of this type would be shared between islands: []int has pointers; give it a Clone or a Move method, or send an island.Box
	// <nil>
}

// page is given away when it passes.
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
