// Package stepcount sums up the steps that each fiber of a scheduler has executed, for hosts whose fibers have no room
// for the sum.
//
// It owns the sums, by slot, and never asks the scheduler: the fiber that begins in a slot begins with none.
package stepcount
