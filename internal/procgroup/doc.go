// Package procgroup ends a process together with what it has started.
//
// On Unix that is a process group, which a process begins and its children are born into; one
// that begins a group of its own is out of reach. Elsewhere only the process itself is ended.
//
// What it never does: start a process, or wait for one.
package procgroup
