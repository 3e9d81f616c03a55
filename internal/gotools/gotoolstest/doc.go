// Package gotoolstest tells tests what Go's own tools would show: the labels of goroutines, and the tasks and
// regions of an execution trace. It owns nothing, and starts no goroutine.
package gotoolstest
