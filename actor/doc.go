// Package actor is a deterministic command processor: actors are spawned, sent to, killed
// and failed by commands, which one queue holds and which are carried out in its order.
//
// It owns the table of the actors, with the parent of each, and the queue of commands. A system is
// Idle, Queued or Busy: a turn carries out the commands of the queue, and commands that actors,
// hooks or the host give meanwhile are appended to it.
//
// The flow of a host:
//
//	sys, err := actor.New(sched, machine, root, actor.Options[string]{})
//	sys.Dispatch("hello")                 // to the input handle: the root actor
//	for out, err := range sys.All(ctx) {  // what actors send to the output handle
//		…
//	}
//
// A synchronous actor is a Handler, called by the turn. An asynchronous one is a fiber of
// the scheduler with an inbox, started by the host (Spec.Start); it acts through its
// Context like the others, and its end comes back as a command.
//
// What is promised:
//
//   - One total order: commands are carried out in the order in which they were given, by any
//     actor, hook or host. The commands of a handler are appended as it gives them.
//   - A handler that panics, or leaves by runtime.Goexit, fails its actor at once, and no other.
//     The turn continues with the next command.
//   - An actor ends after its children, the youngest of which ends first. From then on it handles
//     nothing, and its handle names no actor.
//   - Actors that watch an actor, or are linked to it, are notified of its end through the queue.
//     A supervised child that fails begins a new life under its old handle; calls on the Context
//     of the old life are refused.
//   - No message is lost: each is handled, or refused with an error, or a dead letter.
//   - All outputs are read before the system ends. It ends when the last actor has ended.
//   - The same inputs and seed give the same commands: Record writes them to a journal, and a
//     Player carries them out again and reports the first difference.
//
// What it never does: start a goroutine, read a clock, call code of the host in the
// middle of a change, or decide anything by the order of a map.
package actor
