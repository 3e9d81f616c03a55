package spec_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/spec"
)

var tiny = spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1}

func ExampleKind() {
	fmt.Println(spec.Kinds()[:4])
	// Output: [Spawn Next Yield ArmQueue]
}

// Every action at the bounds, and those of them that are possible at first.
func ExampleAction() {
	first := tiny.Init()
	fmt.Println(len(tiny.All()), tiny.Enabled(nil, &first))
	fmt.Println(spec.Action{Kind: spec.Deliver, A: uint8(spec.Trampoline(0)), B: 1})
	// Output:
	// 21 [Spawn f0 0 Spawn f0 1]
	// Deliver t0 1
}

// A call that is not possible is refused and changes nothing.
func ExampleAnswer() {
	first := tiny.Init()
	s, answer := tiny.Do(first, spec.Action{Kind: spec.Yield})
	fmt.Println(answer, s == first)
	// Output: Refused true
}

func ExampleTransition() {
	for _, row := range spec.Transitions() {
		if row.By == spec.Next {
			fmt.Println(row.From, "->", row.To)
		}
	}
	// Output:
	// Runnable -> Running
	// Runnable -> Dead
}

func ExampleGraph() {
	g, err := tiny.Explore(10_000, nil)
	fmt.Println(len(g.States), "states", g.Edges, "edges", err)
	i, known := g.Find(g.States[7])
	fmt.Println(i, known, g.Path(i))
	// Output:
	// 2112 states 14322 edges <nil>
	// 7 true [Spawn f0 1 Cancel f0]
}

// A replay visits every edge: take Path(From) and then the action of the edge.
func ExampleEdge() {
	_, err := tiny.Explore(10_000, func(g *spec.Graph, e spec.Edge) {
		if e.Answer == spec.AnswerCancelled && e.From < 40 {
			fmt.Println(g.Path(e.From), e.Action, e.Answer)
		}
	})
	fmt.Println(err)
	// Output:
	// [Spawn f0 0 Next ArmQueue Cancel f0] Block Cancelled
	// <nil>
}

func ExampleBreach() {
	s := tiny.Init()
	s.Current = spec.Regular(0)
	fmt.Println(tiny.Check(&s))
	// Output: I2: f0 is Dead and current is f0, pinned are []
}

func ExampleBug() {
	c := tiny
	c.Bug = spec.LosesToken
	_, err := c.Explore(10_000, nil)
	fmt.Println(c.Bug, "-", err)
	// Output: loses token - spec: I12: Exit takes a token from in flight to free after [Spawn f0 0 Next IoSubmit 0 Exit]
}

func ExampleViolation() {
	c := tiny
	c.Bug = spec.DropsLatch
	_, err := c.Explore(10_000, nil)
	var v *spec.Violation
	fmt.Println(errors.As(err, &v), v.Breach.Rule, v.Path)
	// Output: true 9 [Spawn f0 0 Next ArmQueue Deliver f0 0]
}
