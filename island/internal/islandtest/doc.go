// Package islandtest has islands for the tests of package island and of package bridge:
// Running has a goroutine of its own, Stepped is driven by the test. It is not for programs.
package islandtest
