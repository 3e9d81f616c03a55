// Command manyvms runs a thousand small guests, each in a scheduler of its own with limits of its
// own: fibers, deadlines, instructions and time. A guest that exceeds one ends; the others do not
// notice. The guide is docs/host-your-vm/many.md.
//
// What it never does: let two guests share anything.
package main
