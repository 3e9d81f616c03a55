package panicstate_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/panicstate"
)

// A host unwinds: frame 2 panics, the deferred call of frame 1 recovers.
func ExampleState() {
	var s panicstate.State
	s.Defer(1, "handler")
	s.Begin(panicstate.Recoverable, "index out of range", "main.lua:12")

	d, _ := s.NextDefer() // the host drops frame 2 and runs the call as frame 2
	value, _ := s.Recover(d.Frame + 1)
	step, frame := s.EndDefer()
	fmt.Println(d.Call, "got:", value)
	fmt.Println(step, "in frame", frame)
	// Output:
	// handler got: index out of range
	// recovered in frame 1
}

// The call and the frame it belongs to come back as they were registered, latest first.
func ExampleDeferred() {
	var s panicstate.State
	s.Defer(4, "close the file")
	s.Defer(4, "unlock")
	for d, ok := s.Return(4); ok; d, ok = s.Return(4) {
		fmt.Println(d.Frame, d.Call)
		s.EndDefer()
	}
	// Output:
	// 4 unlock
	// 4 close the file
}

// A trampoline hands its panic to its caller, with the site where it began.
func ExamplePanic() {
	var callee, caller panicstate.State
	callee.Begin(panicstate.Recoverable, "no such key", "plugin.js:7")
	callee.NextDefer()

	handed, _ := callee.Outcome()
	caller.Adopt(handed)
	p, _ := caller.Active()
	fmt.Println(p.Kind, p.Value, "at", p.Site)
	// Output: recoverable no such key at plugin.js:7
}

// A fatal panic cannot be recovered, and no deferred call runs.
func ExampleKind() {
	var s panicstate.State
	s.Defer(1, "cleanup")
	s.Begin(panicstate.Fatal, "killed", "")
	_, deferred := s.NextDefer()
	_, recovered := s.Recover(2)
	fmt.Println(deferred, recovered, panicstate.Exit < panicstate.Fatal)
	// Output: false false true
}

// The phase says what may be called next.
func ExamplePhase() {
	var s panicstate.State
	fmt.Println(s.Phase())
	s.Begin(panicstate.Exit, nil, "")
	fmt.Println(s.Phase())
	s.NextDefer()
	fmt.Println(s.Phase())
	// Output:
	// idle
	// unwinding
	// ended
}

// After each deferred call the host asks how its frame goes on.
func ExampleStep() {
	var s panicstate.State
	s.Defer(1, "cleanup")
	s.Begin(panicstate.Recoverable, "boom", "")
	s.NextDefer()
	step, _ := s.EndDefer()
	fmt.Println(step)
	// Output: continue
}

// A host that calls an operation out of turn is told which and what to do instead.
func ExamplePhaseError() {
	defer func() { fmt.Println(recover()) }()
	var s panicstate.State
	s.EndDefer()
	// Output: panicstate: rule PANIC-PHASE (docs/invariants.md#panic-phase): EndDefer while idle: no deferred call is running that could return
}

// The default keeps a panic within its fiber.
func ExamplePolicy() {
	var p panicstate.Policy
	fmt.Println(p, panicstate.FailGroup, panicstate.FailRun)
	// Output: isolate fail-group fail-run
}
