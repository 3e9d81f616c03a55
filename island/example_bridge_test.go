package island_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/wait"
)

// textCodec sends texts as they are.
type textCodec struct{}

func (textCodec) Append(b []byte, v string) ([]byte, error) { return append(b, v...), nil }
func (textCodec) Parse(b []byte) (string, error)            { return string(b), nil }

// Two registries, as in two processes, and a bridge between an island of each.
func ExampleBridge() {
	memory := island.NewMemory(1, island.Faults{})
	here, there := memory.Ends()
	near, n := join(new(island.Registry), island.Config{Name: "near"})
	far, f := join(&island.Registry{Epoch: 100}, island.Config{Name: "far"})
	nearSide, farSide := island.NewBridge(near, here, island.BridgeConfig{}), island.NewBridge(far, there, island.BridgeConfig{})
	here.Attach(nearSide.Receive)
	there.Attach(farSide.Receive)

	letters, _ := island.Open[string](far, "letters", 4)
	island.Export(farSide, "letters", textCodec{})
	_, _ = island.Import(nearSide, "letters", 4, textCodec{})
	out, _ := island.Dial[string](near, "letters") // the one of this registry, which leads there
	_, _ = out.TrySend("hello from afar")

	for range 3 {
		n.Poll()
		f.Poll()
	}
	v, status := letters.TryRecv()
	fmt.Println(v, status == wait.Received)
	// Output: hello from afar true
}

func ExampleBridgeConfig() {
	near, n := join(new(island.Registry), island.Config{Name: "near"})
	end, _ := island.NewMemory(1, island.Faults{}).Ends()
	b := island.NewBridge(near, end, island.BridgeConfig{Backlog: 2})
	for range 3 {
		b.Receive([]byte("noise"))
	}
	n.Poll()
	fmt.Println(b.Counts().Lost)
	// Output: 1
}

func ExampleBridgeCounts() {
	near, n := join(new(island.Registry), island.Config{Name: "near"})
	end, _ := island.NewMemory(1, island.Faults{}).Ends()
	b := island.NewBridge(near, end, island.BridgeConfig{})
	b.Receive([]byte("noise"))
	n.Poll()
	fmt.Printf("%+v\n", b.Counts())
	// Output: {Frames:1 Malformed:1 Foreign:0 Repeated:0 Lost:0}
}

// A transport loses what it cannot send: it will be sent again.
type broken struct{}

func (broken) Send([]byte) error { return errors.New("no route") }

func ExampleTransport() {
	near, n := join(new(island.Registry), island.Config{Name: "near"})
	b := island.NewBridge(near, broken{}, island.BridgeConfig{})
	_, _ = island.Import(b, "letters", 1, textCodec{})
	n.Poll()
	fmt.Println(n.Steps().IdleVerdictWithReport().Kind) // something is on its way
	// Output: waiting
}

func ExampleCodec() {
	var c island.Codec[string] = textCodec{}
	b, _ := c.Append(nil, "text")
	v, _ := c.Parse(b)
	fmt.Println(v)
	// Output: text
}

func ExampleMemory() {
	m := island.NewMemory(7, island.Faults{Duplicate: 1})
	left, right := m.Ends()
	right.Attach(func(frame []byte) { fmt.Println(string(frame)) })
	_ = left.Send([]byte("once"))
	m.Partition(true)
	_ = left.Send([]byte("never"))
	// Output:
	// once
	// once
}

func ExampleMemoryEnd() {
	left, right := island.NewMemory(0, island.Faults{}).Ends()
	left.Attach(func(frame []byte) { fmt.Printf("%s came to the left\n", frame) })
	_ = right.Send([]byte("a frame"))
	// Output: a frame came to the left
}

func ExampleFaults() {
	m := island.NewMemory(7, island.Faults{Reorder: 1})
	left, right := m.Ends()
	right.Attach(func(frame []byte) { fmt.Println(string(frame)) })
	_ = left.Send([]byte("first"))
	m.SetFaults(island.Faults{})
	_ = left.Send([]byte("second"))
	// Output:
	// second
	// first
}

func ExampleRemoteError() {
	err := error(&island.RemoteError{Text: "it has no program of this name", Err: island.ErrProgram})
	fmt.Println(errors.Is(err, island.ErrProgram))
	// Output: true
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
	waitAt(toNorth, func() fiber.Ticket { return n.Arm(fiber.OnQueue(), toNorth) }, func() { n.Block() })
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	waitAt(toSouth, func() fiber.Ticket { return s.Arm(fiber.OnQueue(), toSouth) }, func() { s.Block() })

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

func ExampleFinding() {
	f := island.Finding{Name: "north", Upon: []string{"south"}}
	fmt.Println(f.Name, "waits for", f.Upon)
	// Output: north waits for [south]
}
