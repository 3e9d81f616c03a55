// Package wallclock is real time for a scheduler: its one type implements scheduler.Clock.
//
// It is a package of its own, which imports only fiber, because nearly every program that runs
// in real time needs the clock and few of them run slices in parallel (package reactor).
//
// It owns a timer, and never touches a scheduler. Its users are cmd/selvage, island.Start,
// reactor.New (for a Config with Workers) and every embedder that sets
// scheduler.Config.Clock to real time.
package wallclock
