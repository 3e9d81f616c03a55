// Package panics is the executable specification of panics: a pure state machine whose
// states are comparable values and whose actions are data.
//
// It is the twin of panic.pml, the specification of record in Promela, and is written
// independently of it and of package panicstate, of which it uses the names of the kinds.
// spec/check.sh proves that both have the same graph, edge by edge; package proptest
// replays that graph on panicstate.State, and on the calls of a real scheduler.
//
// # The machine
//
// Frames defer calls, panics run them, a call may recover the panic that runs it. A panic in
// a deferred call that is not recovered there takes the place of a panic around it that is
// not stronger. A trampoline has a machine of its own, and hands the panic that ended it to
// its caller (I7). panic.pml says what is left out, and why.
//
// # The table it owns
//
// Bugs lists the mistakes that the checks must find; graph_test.go says by which rule. The
// rules of docs/design.md#panic-state, which has no numbers for them, stand under I6.
//
// # What it never does
//
// Call package panicstate, hold hidden state, or change anything by an action that is
// refused.
package panics
