// Package explore runs a program under many schedules, to find one that breaks it. A scheduler with
// Config.Choose asks for each decision which fiber runs next; a Strategy answers. A run is determined
// by the answers, so a Schedule, which is their list, repeats it exactly.
//
//	result, err := explore.Search(ctx, program, explore.Options{Strategy: explore.PCT(1, 3), Runs: 10_000})
//	if f := result.Finding; f != nil {
//		fmt.Println(f.Kind, f.Text, f.Schedule) // minimized; Replay(f.Schedule) shows it again
//	}
//
// Where things are:
//
//	ending, guest         how a run ends; programs of a host
//	strategy, random,     which schedules are run
//	pct, depth, mixed,
//	dpor, replay
//	steps, races          what the steps of a run use, and which could be made in another order
//	jobs                  several workers
//	progress              how much is covered
//	search, minimize      the loop, and the smallest schedule with the same ending
//	show                  which lines the fibers ran, for the report of a finding
//	schedule              the text of a schedule
//	runtime, test         programs on package stackful, and Test for go test
//
// A search covers the decisions of the scheduler: which fiber is next, where one is preempted, which
// case a select carries out. It says so when it has tried all. It does not cover what the program
// reads from outside: a program that reads a clock or a socket is refused as not deterministic when two
// runs of one schedule differ.
//
// A Strategy belongs to one search. What this package never does: change a program, or run one
// outside of the call of Search.
package explore
