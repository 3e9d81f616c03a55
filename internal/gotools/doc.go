// Package gotools shows the fibers of one scheduler to Go's own tools: go tool trace as a task for each fiber with
// a region for each time slice, and profiles as labels of the goroutine that a fiber runs on, with the function of its
// program.
//
// It owns the tasks and the labels, by slot. It changes no fiber, and starts no trace and no profile.
package gotools
