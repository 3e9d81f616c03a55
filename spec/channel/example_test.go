package channel_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/spec/graph"
)

var tiny = channel.Config{Fibers: 2, Channels: 1, Capacity: [2]int{1}, Selects: true}

func ExampleConfig() {
	g, err := graph.Explore(tiny, 10_000, nil)
	fmt.Println(len(g.States), "states", g.Edges, "edges", err)
	// Output: 1156 states 5680 edges <nil>
}

// A sender that waits on a full channel; a receive makes room for its value.
func ExampleAction() {
	s := tiny.Init()
	for _, a := range []channel.Action{
		{Kind: channel.Spawn}, {Kind: channel.Spawn, Fiber: 1},
		{Kind: channel.Send},
		{Kind: channel.Wait, Cases: [2]channel.Case{channel.SendTo(0), channel.NoCase}},
		{Kind: channel.Recv, Fiber: 1},
		{Kind: channel.Close},
		{Kind: channel.Claim},
	} {
		answer, _ := tiny.Step(&s, a)
		fmt.Println(a, answer)
	}
	// Output:
	// Spawn f0 -
	// Spawn f1 -
	// Send f0 c0 Buffered
	// Wait f0 s0 -
	// Recv f1 c0 Received
	// Close c0 -
	// Claim f0 Sent
}

func ExampleBug() {
	c := tiny
	c.Bug = channel.CloseIsSuccess
	_, err := graph.Explore(c, 10_000, nil)
	fmt.Println(c.Bug, "-", err)
	// Output: close is success - spec: I11: Close c0 ends the wait of f0 with code 1, want 2 after [Spawn f0 Send f0 c0 Wait f0 s0 Close c0]
}
