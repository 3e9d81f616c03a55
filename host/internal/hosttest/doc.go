// Package hosttest judges the lifecycle of a Host: one set of promises for the hosts of all engines.
//
// It owns what pause, resume and shutdown mean. What it never does: know an engine.
package hosttest
