package main

import (
	"maps"
	"slices"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// suites are the tests that are run on a mutant of each package, the likeliest
// first, and of the others the quickest; the next are asked when the ones before have noticed nothing.
func suites() map[string][]trial.Tests {
	// What the compiler inlines is read from the source on disk, not from the overlay.
	const inlining = "TheCompilerInlines|AHostLoopCallsNothing"
	var (
		scheduler = trial.Tests{Package: "./scheduler", Skip: inlining}
		checked   = trial.Tests{Package: "./scheduler", Skip: inlining + "|Allocates|TakesThirtyTwoBytes|OfAMillion", Tags: "invariants"}
		lockstep  = trial.Tests{Package: "./proptest", Run: "TheSchedulerFollows|TheModelDoesNotAllow|OneCall"}
		tours     = trial.Tests{Package: "./proptest", Run: "FollowEveryEdge|FollowsEveryEdge", Skip: "TheSchedulerFollows"}
		traces    = trial.Tests{Package: "./proptest", Run: "TheTraceOfEveryWalk"}
		stackful  = trial.Tests{Package: "./stackful"}
	)
	own := func(dir string) trial.Tests { return trial.Tests{Package: "./" + dir} }
	return map[string][]trial.Tests{
		"fiber":            {own("fiber"), own("ioqueue"), scheduler, own("wait")},
		"panicstate":       {own("panicstate"), {Package: "./scheduler", Run: "Panic|Script|Nest|Pump|Call|Twin"}, own("trampoline")},
		"ioqueue":          {own("ioqueue"), scheduler, lockstep},
		"internal/opqueue": {own("internal/opqueue"), scheduler, lockstep},
		"scheduler":        {scheduler, own("trampoline"), stackful, traces, checked, lockstep},
		"wait":             {own("wait"), tours, stackful},
		"trampoline":       {own("trampoline"), {Package: "./stackful", Run: "Call|Close|Kill"}},
		"scope":            {own("scope"), {Package: "./stackful", Run: "Scope|Stuck|Cancel"}},

		"internal/waitgraph": {own("internal/waitgraph"), {Package: "./scheduler", Run: "Stuck|Report|Deadlock|Cycle"}},
	}
}

// judged are the packages that have suites, in order.
func judged() []string { return slices.Sorted(maps.Keys(suites())) }
