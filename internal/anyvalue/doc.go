// Package anyvalue makes random Go types, and random values of them, that can pass between Go and every
// guest (package host/bind) and come back equal. What it never does: make a value that some guest cannot
// hold, such as an integer that needs more than 53 bits.
package anyvalue
