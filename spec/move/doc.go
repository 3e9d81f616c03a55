// Package move is the executable specification of fibers that move between two schedulers:
// a pure state machine whose states are comparable values and whose actions are data.
//
// It is the twin of move.pml, the specification of record in Promela, and is written
// independently of it and of package scheduler. spec/check.sh proves that both have the
// same graph, edge by edge; package proptest replays that graph on two real schedulers.
//
// # The machine
//
// A fiber that is ready leaves its scheduler, is carried by the host, and goes on where it
// is brought in; or it is abandoned. Its join cell stays at home, where it was spawned:
// a fiber that waits there for its end is notified, wherever that comes. Of the two schedulers
// there is what a move can see; move.pml says what is left out. What ties a fiber to its
// scheduler, so that it may not move, is in package spec.
//
// # The table it owns
//
// Bugs lists the mistakes that the checks must find; graph_test.go says by which rule.
//
// # What it never does
//
// Import package scheduler, hold hidden state, or change anything by an action that is
// refused.
package move
