// Package control is which goroutine runs a Host, and how others pause it, resume it and shut it down: one
// mechanism for the hosts of all engines.
//
// It owns the state of a Host: idle, running, shut down, closed. What it never does: call a guest, or keep a
// goroutine after a call has returned.
package control
