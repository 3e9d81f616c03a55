//go:build ignore

// After etcd#7443: the loop of a balancer that is closed ends, and a connection that goes down reports it
// to the loop's channel. A ticker that nothing receives from goes on.
// Finding: leak
package kernel

import (
	"context"
	"testing"
	"time"
)

type balancer struct {
	ctx  context.Context
	down chan string
	tick *time.Ticker
}

func (b *balancer) loop() {
	for {
		select {
		case <-b.down:
		case <-b.tick.C:
		case <-b.ctx.Done():
			return
		}
	}
}

func (b *balancer) report(addr string) { b.down <- addr }

// TestCloseWhileAConnectionGoesDown closes the balancer while a connection goes down.
func TestCloseWhileAConnectionGoesDown(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &balancer{ctx, make(chan string), time.NewTicker(time.Millisecond)}
	go b.loop()
	go b.report("a")
	cancel()
}
