package main

import "testing"

// Two writers would spoil each other's file.
func TestTheGoToolsWriteToDifferentFiles(t *testing.T) {
	guest(t, "", "--go-trace", "same", "--go-cpuprofile", "same").want(t, statusUsage, "both name same; give each a file of its own")
}
