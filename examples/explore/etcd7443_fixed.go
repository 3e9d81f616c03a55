//go:build ignore

// The repaired etcd7443: the report gives up when the balancer is closed.
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

func (b *balancer) report(addr string) {
	select {
	case b.down <- addr:
	case <-b.ctx.Done():
	}
}

// TestCloseWhileAConnectionGoesDown closes the balancer while a connection goes down.
func TestCloseWhileAConnectionGoesDown(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &balancer{ctx, make(chan string), time.NewTicker(time.Millisecond)}
	go b.loop()
	go b.report("a")
	cancel()
}
