// Package graph searches through a machine: a pure function from states and actions to
// states. It finds every state that can be reached, checks each state and each step, and
// knows the shortest way to any of them.
//
// The tables it owns are the states, in breadth-first order, and the tree of first ways.
//
// What it never does: know what a machine means, or call a search complete that was cut
// short.
package graph
