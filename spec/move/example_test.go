package move_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/move"
)

// A fiber that waits for a fiber that has moved is not deadlocked, and is notified of its end at home.
func ExampleConfig() {
	c := move.Config{Fibers: 2, Slots: 2}
	s := c.Init()
	for _, a := range []move.Action{
		{Kind: move.Spawn}, {Kind: move.MoveOut}, {Kind: move.MoveIn, At: 1},
		{Kind: move.Spawn, Fiber: 1}, {Kind: move.Next}, {Kind: move.Join}, {Kind: move.Idle},
		{Kind: move.Next, At: 1}, {Kind: move.Exit, At: 1}, {Kind: move.Idle}, {Kind: move.Next},
	} {
		answer, _ := c.Step(&s, a)
		fmt.Println(a, answer)
	}
	fmt.Println(s.Schedulers[0].Current)
	// Output:
	// Spawn f0 0 -
	// MoveOut f0 -
	// MoveIn f0 1 -
	// Spawn f1 0 -
	// Next 0 -
	// Join f0 -
	// Idle 0 Waiting
	// Next 1 -
	// Exit 1 -
	// Idle 0 Busy
	// Next 0 -
	// 1
}

func ExampleBug() {
	_, err := graph.Explore(move.Config{Fibers: 2, Slots: 1, Bug: move.AbandonsInSilence}, 10_000, nil)
	fmt.Println(err)
	// Output: spec: I12: scheduler 0 is told 0 times of f0, which is {Status:6 At:255 Home:0 Goal:255 Kept:true Told:false} after [Spawn f0 0 MoveOut f0 Abandon f0]
}
