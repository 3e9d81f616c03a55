package top

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/selvage-dev/selvage/inspect/client"
)

// loader asks the inspector on goroutines of its own, and sends the answers to the screen.
type loader struct {
	client   *client.Client
	interval time.Duration
	send     func(tea.Msg) // returns after the screen has ended
	wants    chan want     // one: the newest
	deeds    chan deed     // one: the screen waits for its end before the next
	quit     context.CancelFunc
	over     <-chan struct{} // closed when it is to end
	done     sync.WaitGroup
}

func newLoader(c *client.Client, interval time.Duration) *loader {
	return &loader{client: c, interval: interval, wants: make(chan want, 1), deeds: make(chan deed, 1)}
}

// ask replaces what the screen needs. One goroutine calls it.
func (l *loader) ask(w want) {
	select {
	case <-l.wants:
	default:
	}
	l.wants <- w
}

func (l *loader) do(d deed) { l.deeds <- d }

// start begins to ask. stop ends it.
func (l *loader) start(ctx context.Context, send func(tea.Msg)) {
	l.send = send
	ctx, l.quit = context.WithCancel(ctx)
	l.over = ctx.Done()
	closed := make(chan struct{})
	l.done.Go(func() {
		defer close(closed)
		err := l.client.Follow(ctx, func(e client.Event) { l.send(e) })
		l.send(over{err})
	})
	l.done.Go(func() { l.load(ctx, closed) })
}

// stop ends all requests and waits for the goroutines.
func (l *loader) stop() {
	l.quit()
	l.done.Wait()
}

// load answers wants as they come, and the newest again after each interval, until the inspector is closed.
func (l *loader) load(ctx context.Context, closed <-chan struct{}) {
	tick := time.NewTicker(l.interval)
	defer tick.Stop()
	var now want
	again := tick.C
	for {
		select {
		case <-ctx.Done():
			return
		case <-closed:
			again, closed = nil, nil
		case now = <-l.wants:
			l.fetch(ctx, now)
		case d := <-l.deeds:
			l.send(did{d, l.client.Control(ctx, d.id, d.action)})
			l.fetch(ctx, now)
		case <-again:
			l.fetch(ctx, now)
		}
	}
}

// fetch answers one want. The help needs nothing.
func (l *loader) fetch(ctx context.Context, w want) {
	g := got{want: w}
	switch w.screen {
	case listScreen:
		g.list, g.err = l.client.Fibers(ctx, w.query)
	case fiberScreen:
		g.fiber, g.err = l.client.Fiber(ctx, w.id)
	case graphScreen:
		g.graph, g.err = l.client.Graph(ctx, w.id, graphNodes)
	case islandsScreen:
		g.set, g.err = l.client.Islands(ctx)
	default:
		return
	}
	l.send(g)
}
