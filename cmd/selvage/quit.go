package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/selvage-dev/selvage/scheduler"
)

// reportOnDemand prints what every fiber is doing each time the process gets a SIGQUIT,
// until stop is called by the goroutine that runs the program. The report is made by that
// goroutine too, between two slices: a program inside a long call of Go code answers when
// the call has ended.
func (s *session) reportOnDemand(on *scheduler.Core) (stop func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGQUIT)
	over := false // the owner's
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for range asked {
			_ = on.Inbox().Do(func() { // ErrStopped: there is nothing to tell of
				if !over {
					s.tell(func(io streams) {
						fmt.Fprint(io.err, "selvage: ", on.Inspect().DumpFibers())
						s.tellEvents(io.err)
					})
				}
			})
		}
	}()
	return func() {
		signal.Stop(asked)
		close(asked)
		<-gone
		over = true
	}
}
