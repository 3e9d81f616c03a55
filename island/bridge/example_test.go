package bridge_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// join makes an island of a scheduler that the example drives itself.
func join(r *island.Registry, name string) (*island.Island, *scheduler.Scheduler[int]) {
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	i, err := r.Join(&s.Core, island.Config{Name: name})
	if err != nil {
		fmt.Println(err)
	}
	return i, s
}

// textCodec sends texts as they are.
type textCodec struct{}

func (textCodec) Append(b []byte, v string) ([]byte, error) { return append(b, v...), nil }
func (textCodec) Parse(b []byte) (string, error)            { return string(b), nil }

// Two registries, as in two processes, and a bridge between an island of each.
func ExampleBridge() {
	wires := memwire.New(1, memwire.Faults{})
	here, there := wires.Ends()
	near, n := join(new(island.Registry), "near")
	far, f := join(&island.Registry{Epoch: 100}, "far")
	nearSide, farSide := bridge.New(near, here, bridge.Config{}), bridge.New(far, there, bridge.Config{})
	here.Attach(nearSide.Receive)
	there.Attach(farSide.Receive)

	messages, _ := island.Open[string](far, "messages", 4)
	bridge.Export(farSide, "messages", textCodec{})
	_, _ = bridge.Import(nearSide, "messages", 4, textCodec{})
	out, _ := island.Dial[string](near, "messages") // the one of this registry, which leads there
	_, _ = out.TrySend("hello from afar")

	for range 3 {
		n.Poll()
		f.Poll()
	}
	v, status := messages.TryRecv()
	fmt.Println(v, status == wait.Received)
	// Output: hello from afar true
}

func ExampleConfig() {
	near, n := join(new(island.Registry), "near")
	end, _ := memwire.New(1, memwire.Faults{}).Ends()
	b := bridge.New(near, end, bridge.Config{Backlog: 2})
	for range 3 {
		b.Receive([]byte("noise"))
	}
	n.Poll()
	fmt.Println(b.Counts().Dropped)
	// Output: 1
}

func ExampleCounts() {
	near, n := join(new(island.Registry), "near")
	end, _ := memwire.New(1, memwire.Faults{}).Ends()
	b := bridge.New(near, end, bridge.Config{})
	b.Receive([]byte("noise"))
	n.Poll()
	fmt.Printf("%+v\n", b.Counts())
	// Output: {Frames:1 Malformed:1 Misaddressed:0 OutOfSequence:0 Dropped:0}
}

// A transport loses what it cannot send: it will be sent again.
type broken struct{}

func (broken) Send([]byte) error { return errors.New("no route") }

func ExampleTransport() {
	near, n := join(new(island.Registry), "near")
	b := bridge.New(near, broken{}, bridge.Config{})
	_, _ = bridge.Import(b, "messages", 1, textCodec{})
	n.Poll()
	fmt.Println(n.Steps().IdleVerdictWithReport().Kind) // something is on its way
	// Output: waiting
}

func ExampleCodec() {
	var c bridge.Codec[string] = textCodec{}
	b, _ := c.Append(nil, "text")
	v, _ := c.Parse(b)
	fmt.Println(v)
	// Output: text
}

// The other side does not allow commands.
func ExampleBridge_Request() {
	wires := memwire.New(1, memwire.Faults{})
	here, there := wires.Ends()
	near, n := join(new(island.Registry), "near")
	far, f := join(&island.Registry{Epoch: 100}, "far")
	nearSide, farSide := bridge.New(near, here, bridge.Config{}), bridge.New(far, there, bridge.Config{})
	here.Attach(nearSide.Receive)
	there.Attach(farSide.Receive)

	_, _ = n.Spawn(0)
	n.Poll()
	n.ScheduleNext()
	tok, _ := n.Ops().Submit()
	_ = nearSide.Request(tok, island.Shutdown(far.Address(), "enough"))
	n.BlockForIO(tok)
	for range 3 {
		n.Poll()
		f.Poll()
	}
	n.ScheduleNext()
	n.Claim()
	done, _ := n.Ops().Completion(tok)
	fmt.Println(errors.Is(done.Err, bridge.ErrRemote), done.Err)
	// Output: true bridge: this side accepts no commands; set Config.AllowCommands of its bridge
}
