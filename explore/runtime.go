package explore

import (
	"github.com/selvage-dev/selvage/stackful"
)

// Runtime makes a program of the fibers that start spawns. They must end by themselves: fibers that wait
// for each other are a Deadlock, the error or panic of a fiber that no other joins is a Failure. start
// is called for each run, and must make all that the fibers share.
func Runtime(b Bounds, start func(rt *stackful.Runtime)) Program {
	return func(d *Decisions) (Ending, error) {
		w := newWatch(b, d)
		defer w.end(nil)
		rt := stackful.New(stackful.Config{Config: w.cfg})
		defer rt.Close()
		start(rt)
		return w.ending(rt.Run(w.ctx)), nil
	}
}
