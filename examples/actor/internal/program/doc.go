// Package program is what the mains of the example programs have in common: they take no
// arguments, and their exit status says how they ended.
//
// What it never does: anything about actors.
package program
