// Package slab keeps a table of elements whose addresses never change: a slot is
// named by a small index, freed slots are used again, latest first.
//
// The table it owns is a list of equal chunks, a stack of free indexes and one bit per
// slot that says whether it is in use.
//
// What it never does: move an element, give memory back before the whole slab goes,
// or distinguish two users of one slot. Generations belong to the owner.
package slab
