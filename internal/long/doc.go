// Package long says how much work a test does. It owns the flag -long, which every package
// whose tests import it has, and the environment variable SELVAGE_LONG, its default. Without
// either a test does what fits in a quick go test ./...; -long adds what CI with LONG=1 does beyond that;
// -long=N does N times as many cases, and from 10 on also the searches that take hours.
//
// How many cases a test does follows from the flag alone, never from a clock. Context is for
// tests that wait for something that must happen. Only tests use this package.
package long
