// Package fiber is the vocabulary of Selvage: the types that name a fiber, its scheduling
// state, the reason of a wait, one suspension and the end of one time slice.
//
// Everything here is a compact comparable value or an interface. The machine that gives the
// values a meaning is package scheduler, the pure waiting objects are in package wait, and
// the two know each other only through this package.
//
// What it never does: hold state, import another package of this module, or trust a raw
// value. A raw value names a slot; it never wakes a fiber (DESIGN §2.1).
//
// Who uses it: every other package of the core, and every host.
package fiber
