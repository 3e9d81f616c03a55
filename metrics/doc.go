// Package metrics shows schedulers to Prometheus: how many fibers there are in which state, what was counted so
// far, how long fibers wait to run, and what groups of them have used.
//
// A scheduler belongs to its owner, and a scrape comes on any goroutine. So a Collector posts a function to the
// owner, which copies the numbers between two slices, and waits for it until a deadline; after that it shows the
// last numbers, and says how old they are. The scheduler does nothing for this between two scrapes.
//
// What this package never does: start a goroutine, call a scheduler anywhere but on its owner's goroutine.
package metrics
