// Package faults lets an I/O system misbehave in every way there is, between a real
// scheduler and the operations of its fibers, and holds the scheduler against a ledger
// that knows what each token may still do.
//
// A World is a scheduler whose fibers do operations without end, on a Device that draws a
// fault for each by its Profile. Everything comes from one seed.
//
// # The tables it owns
//
//   - Device: by turn, the completions on their way.
//   - ledger: by token, whether a fiber waits for it, has given it up, or it has ended.
//
// # What it holds
//
//   - every completion is answered as the ledger says, and only the first one in time has
//     an effect: the fiber that waits gets that value and no other (I5, I8, I12);
//   - when the faults have stopped, every wait whose completion was not dropped ends
//     within a number of turns that is known;
//   - in the end every token has ended once.
package faults
