// Package op names the transitions and calls of a scheduler, for errors, histories and
// observers.
//
// It owns nothing but the names. It never tells what a transition does: package scheduler
// defines that.
//
// Packages scheduler, trace and proptest use it; others see its type as scheduler.Op.
package op
