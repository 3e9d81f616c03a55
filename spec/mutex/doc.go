// Package mutex is the executable specification of a lock with an owner: a pure state
// machine whose states are comparable values and whose actions are data.
//
// It is the twin of mutex.pml, the specification of record in Promela, and is written
// independently of it and of package wait. spec/check.sh proves that both have the same
// graph, edge by edge; package proptest replays that graph on wait.Mutex and wait.Cond.
//
// # The machine
//
// Fibers take the lock, wait for it, give it back, give up, die and are born again.
// Unlock and, by policy, the death of the owner hand the lock to the fiber that has waited
// longest, who owns it before it runs. With Config.Cond the owner may wait for a signal,
// which moves the fiber that has waited longest into the line for the lock. Of the scheduler
// there is what a mutex can see; mutex.pml says what is left out, and why.
//
// # The table it owns
//
// Bugs lists the mistakes that the checks must find; graph_test.go says by which rule.
//
// # What it never does
//
// Import package wait, hold hidden state, or change anything by an action that is
// refused.
package mutex
