package replay_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/spec/replay"
)

// A fiber that waits is scheduled although it was not woken.
func ExampleCheck() {
	const trace = `{"trace":"selvage","version":2,"scheduler":0}
{"op":"spawn","f":"f0.1"}
{"op":"schedule","f":"f0.1"}
{"op":"arm","f":"f0.1","wait":1,"on":"queue","by":5000}
{"op":"block","f":"f0.1","says":"parked"}
{"op":"schedule","f":"f0.1"}
`
	report, err := replay.Check(strings.NewReader(trace))
	fmt.Println(report.Transitions, "follow the specification")

	var wrong *replay.Divergence
	if errors.As(err, &wrong) {
		fmt.Println("line", wrong.Line, "breaks", wrong.Rule.String()+":", wrong.Found)
		fmt.Println("allowed:", wrong.Allowed[1])
	}
	// Output:
	// 4 follow the specification
	// line 6 breaks I1: the ready queue is empty
	// allowed: deadline of f0.1, the earliest of 1, at 5µs
}
