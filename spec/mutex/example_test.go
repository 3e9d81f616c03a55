package mutex_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/mutex"
)

// The lock is handed over before its new owner runs: no other fiber can take it in between.
func ExampleConfig() {
	c := mutex.Config{Fibers: 2}
	s := c.Init()
	for _, a := range []mutex.Action{
		{Kind: mutex.Spawn}, {Kind: mutex.Spawn, Fiber: 1},
		{Kind: mutex.Lock}, {Kind: mutex.Wait, Fiber: 1},
		{Kind: mutex.Unlock}, {Kind: mutex.Lock}, {Kind: mutex.Claim, Fiber: 1},
	} {
		answer, _ := c.Step(&s, a)
		fmt.Println(a, answer)
	}
	// Output:
	// Spawn f0 -
	// Spawn f1 -
	// Lock f0 Locked
	// Wait f1 -
	// Unlock f0 Handed
	// Lock f0 Busy
	// Claim f1 Locked
}

func ExampleBug() {
	_, err := graph.Explore(mutex.Config{Fibers: 2, Bug: mutex.ForgetsOwner}, 10_000, nil)
	fmt.Println(err)
	// Output: spec: I12: f0 is dead and owns the lock after [Spawn f0 Lock f0 Kill f0]
}
