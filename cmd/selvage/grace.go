package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// endAfterGrace calls exit if a command goes on for longer than the grace time after ctx has
// ended. A call of Go code, such as a builtin of a guest, cannot be preempted, and may never
// return. The command calls stop when it has ended.
func endAfterGrace(ctx context.Context, grace time.Duration, err io.Writer, exit func(status int)) (stop func()) {
	ended, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-ended:
		case <-timer.C:
			fmt.Fprintf(err, "selvage: interrupted; the program has not ended within %v (--grace), probably in a call of Go code\n", grace)
			exit(statusInterrupted)
		}
	}()
	return func() {
		close(ended)
		<-over
	}
}
