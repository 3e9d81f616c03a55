// Package probe detects deadlocks between members that run in parallel, without stopping them
// and without a central observer.
//
// A member that is blocked, and that only other members can wake, publishes a Statement: whom
// it depends on, and the version of its state. A probe is a round of questions. The member
// that starts it collects the statements of all members that it depends on, directly or not,
// and asks each of them whether it still makes the same statement. Members that can run do
// not answer. If all answer and none has changed its statement, they are in a deadlock: at the
// instant between the collecting and the questions all of them were blocked, and nothing was
// in transit to any of them. If some have changed their statement, the probe is repeated with
// the new ones; each repetition has a new statement, so there are finitely many.
//
// A probe asks nothing if it finds a member without a statement that will probe by itself as soon
// as it has been blocked for no longer than the prober: that member can run, or is about to
// start the probe that finds the deadlock. So of n members that become blocked only the last asks
// all others, and a probe in vain costs no messages.
//
// The protocol needs two things from its user. What was sent to a member before a question must
// be looked at before the question is answered (Turn comes last). And a member that becomes
// blocked must start a probe after a while: one that could run did not answer earlier probes.
//
// It owns the statements, questions and rounds. It never looks at what a member waits for, reads
// no clock and starts no goroutine. Package island uses it; a Member is one island.
package probe
