package panics_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/panics"
)

// What ended a native call can be recovered by its caller.
func ExampleConfig() {
	c := panics.Config{Machines: 2, Frames: 1, Calls: 1, Panics: 2}
	s := c.Init()
	for _, a := range []panics.Action{
		{Kind: panics.Defer}, {Kind: panics.Enter},
		{Kind: panics.Begin, A: uint8(panicstate.Recoverable)}, {Kind: panics.NextDefer}, {Kind: panics.Leave},
		{Kind: panics.NextDefer}, {Kind: panics.Recover, A: 1}, {Kind: panics.EndDefer},
	} {
		answer, _ := c.Step(&s, a)
		fmt.Println(a, answer)
	}
	// Output:
	// Defer 0 -
	// Call -
	// Begin 1 -
	// NextDefer None
	// Leave -
	// NextDefer Run0
	// Recover 1 Value
	// EndDefer Recovered0
}

func ExampleBug() {
	c := panics.Config{Machines: 1, Frames: 1, Calls: 1, Panics: 1, Bug: panics.RecoversLate}
	_, err := graph.Explore(c, 10_000, nil)
	fmt.Println(err)
	// Output: spec: I6: Recover 1 recovers [{recoverable 1 0 false}] in [{0 1 true}] after [Begin 1 Defer 0 NextDefer Recover 1]
}
