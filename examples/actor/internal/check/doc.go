// Package check is what the tests of the example programs have in common: a program prints
// what its main.out says, and its actors do what the scripts in testdata say.
//
// What it never does: run a program whose output depends on luck.
package check
