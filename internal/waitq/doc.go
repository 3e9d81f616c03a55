// Package waitq keeps the waiters of one object: which tickets wait, in which order, and
// which value was assigned to which ticket and is not collected yet (I11, I12).
//
// The table it owns is one list of registrations, sorted by Ticket.Seq, in two zones:
//
//	[ assigned: a value was handed over, its fiber has not collected it ][ waiting ]
//
// The oldest may stand in the Queue itself, which is all that most objects ever need;
// the others stand in a ring.
//
// Seqs of one scheduler grow with every Arm and a registration directly follows its
// Arm, so arrival order is Seq order. That is why a ticket is found by binary search:
// no map, no links, no allocation per waiter.
//
// What it never does: wake a waiter, decide what a value means, or trust that a ticket
// is still live. The object around it withdraws a ticket when its wait ends (I10).
package waitq
