// Package channel is the executable specification of channels and selects: a pure state
// machine whose states are comparable values and whose actions are data.
//
// It is the twin of channel.pml, the specification of record in Promela, and is written
// independently of it and of package wait. spec/check.sh proves that both have the same
// graph, edge by edge; package proptest replays that graph on wait.Chan and wait.Select.
//
// # The machine
//
// Fibers send to channels and receive from them, wait for one or two cases at a time,
// give up, die and are born again. A channel has a buffer, a queue of receivers and one
// of senders, and the values that it assigned to receivers which have not come for them.
// Of the scheduler there is what a channel can see: a wait has a ticket, ends once, and
// is then registered nowhere. channel.pml says what is left out, and why.
//
// # The table it owns
//
// Bugs lists the mistakes that the checks must find; bug_test.go says by which rule.
//
// # What it never does
//
// Import package wait, hold hidden state, or change anything by an action that is
// refused.
package channel
