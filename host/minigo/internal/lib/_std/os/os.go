// Package os is what minigo has of Go's.
package os

func Exit(code int)

func args() []string

var Args = args()
