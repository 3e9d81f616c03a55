//go:build race

package meter_test

// stride is how many scripts of the suite there are for one that is played: there is no
// goroutine in this package for the race detector to look at.
const stride = 20
