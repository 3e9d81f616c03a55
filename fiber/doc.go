// Package fiber is the vocabulary of Selvage: how a fiber, its scheduling state,
// the thing it waits for, one suspension and the end of one slice are named.
//
// Everything here is a compact comparable value. Nothing here does anything: the
// machine that gives the values a meaning is package scheduler, the pure waiting
// objects are in package wait, and both speak only through this package.
//
// What it never does: hold state, import another package of this module, or trust
// a raw value. A raw value names a slot; it never wakes anything (docs/design.md#vocabulary).
package fiber
