// Package ioqueue describes asynchronous operations to fibers and devices: the completion
// of an operation, the verdict on a completion, and the one-shot cells in which a result
// outlives the fiber that produced it.
//
// It owns no table: the operations of a scheduler are in package internal/opqueue, and
// scheduler.Ops is the way to them.
//
// What it never does: I/O, start a goroutine, read a clock, wake a fiber.
//
// Who uses it: hosts and devices use Completion, Room, SlotOf and the errors; package wait
// joins on a Cell.
package ioqueue
