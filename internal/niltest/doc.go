// Package niltest calls the exported functions and methods of a package with nil arguments. It is
// for tests. Such a call may answer in any way of its own, but a nil dereference may not escape, and
// a panic has to cite the broken rule (docs/invariants.md) and the fix.
package niltest
