package fibers

import (
	"fmt"
	"sync"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
)

// islandError is the failure of a fiber of another island.
type islandError struct {
	island string
	err    error
}

// Error names the island.
func (e *islandError) Error() string { return fmt.Sprintf("on island %q: %v", e.island, e.err) }

// Unwrap is the fiber's error.
func (e *islandError) Unwrap() error { return e.err }

// serialized lets the islands of a program report failures, each on its own goroutine: no two
// calls overlap.
func serialized(report fiberio.Unobserved) fiberio.Unobserved {
	if report == nil {
		return nil
	}
	var mu sync.Mutex
	return func(e *scheduler.UnobservedError) {
		mu.Lock()
		defer mu.Unlock()
		report(e)
	}
}

// reporter is Unobserved of the island: it adds the island's name. While the island is being stopped
// the failures are kept for stopAll, which reports them in the order of the islands.
func (c *childIsland) reporter(name string, report fiberio.Unobserved) fiberio.Unobserved {
	if report == nil {
		return nil
	}
	return func(e *scheduler.UnobservedError) {
		e = &scheduler.UnobservedError{ID: e.ID, Name: e.Name, Err: &islandError{name, e.Err}}
		if c.ctx.Err() == nil {
			report(e)
			return
		}
		c.late = append(c.late, e)
	}
}
