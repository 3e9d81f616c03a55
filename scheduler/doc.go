// Package scheduler is the state machine: one goroutine owns a Scheduler, every change
// of a fiber's state goes through one gate, and a call that breaks a rule is refused by
// name (docs/design.md#state-machine).
//
// The host owns the loop:
//
//	for {
//		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
//			s.Finish(vm.Run(f)) // one slice; its Outcome says how it ended
//		}
//		if !s.Poll() && s.Steps().IdleVerdict().Kind != scheduler.Waiting {
//			break
//		}
//	}
//
// or hands it over: s.Run(ctx, machine) is the same loop with parking, verdicts and
// shutdown. Poll serves everything from outside (the Inbox, completions, timers) and
// is due after every batch of sixteen fibers, however busy they are.
//
// Who uses it: every host. stackful is a Machine for Go functions, host/minigo drives a
// scheduler with frames of its own, trampoline, scope, reactor, island and actor build on it.
//
// A wait is armed, published, and then blocked in; a delivery that comes in between
// is latched, never lost:
//
//	t := s.Arm(fiber.OnQueue(), ch.Source()) // any fiber.Source
//	ch.ParkRecv(t, 0)
//	s.Block()
//	// … later, when the fiber runs again:
//	t, result := s.Claim()
//
// Each operation has a file: arm.go, block.go, deliver.go, claim.go and so on; the paths
// through them are in docs/architecture.md. gate.go writes every state, fastpath.go has the
// conditions of all fast paths, audit.go and audit_*.go check the table of states and locations
// (docs/design.md#states-and-locations).
//
// What it never does: start a goroutine, read a clock, let two fibers of one slot be
// taken for each other, or change anything in an operation it refuses.
package scheduler
