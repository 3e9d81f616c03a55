// Package actor is a deterministic command processor: actors are spawned, sent to, killed
// and failed by commands that stand in one queue and are carried out in its order.
//
// The table it owns is which actors there are, which is whose child, and which commands
// wait. A system is Idle, Queued or Busy: a turn is one walk along the queue, and what
// actors, hooks or the host give meanwhile is only appended.
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
//   - One total order: commands are carried out in the order in which they were given,
//     whatever gave them. An actor's actions are appended as it performs them.
//   - A handler that panics, or leaves by runtime.Goexit, fails its actor, at once, and
//     nothing else: the queue goes on with the next command.
//   - An actor dies after its children, the youngest first. From then on it handles
//     nothing, and its handle names no actor.
//   - Who watches an actor, or is linked to it, learns how it ended through the queue. A
//     supervised child that fails begins a new life under its old handle; whatever belonged
//     to the old one, its Context included, is refused.
//   - No message is lost: each is handled, or refused with an error, or a dead letter.
//   - What was put out is read before the end; the end is when the last actor is gone.
//   - The same inputs and seed give the same commands: Record writes them down, and a Player
//     does them again and finds the first difference.
//
// What it never does: start a goroutine, read a clock, call code of the host in the
// middle of a change, or decide anything by the order of a map.
package actor
