// Package callfuzz makes random sequences of the exported calls of objects, with random arguments
// from a small stock, as a host that has lost track would make them. It is for tests. A panic must be
// the refusal of a broken contract, with its rule and its fix; a panic of Go's runtime, and a
// violation that no caller can cause, are faults.
package callfuzz
