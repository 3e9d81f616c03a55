package fiberio

import (
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// disconnects passes requests whose clients have gone away from goroutines of net/http to the
// owner, which cancels their fibers. It is not the scheduler's inbox, because that can be full,
// and then the handler would run on for nothing. The list is no longer than there are requests.
type disconnects struct {
	inbox   *scheduler.Inbox
	pending atomic.Bool // the list is not empty
	mu      sync.Mutex
	list    []*exchange
}

var _ scheduler.Collector = (*disconnects)(nil)

// add is called on a goroutine of net/http.
func (l *disconnects) add(x *exchange) {
	l.mu.Lock()
	l.list = append(l.list, x)
	l.pending.Store(true)
	l.mu.Unlock()
	l.inbox.Notify() // wakes the owner; unlike a command it needs no room
}

// Serve is called by the scheduler, and has nothing to do: requests are not operations.
func (l *disconnects) Serve([]fiber.Token) {}

// Collect is called by the scheduler at every poll. A request that has no fiber yet will get
// none, because exchange.begin looks whether the client has gone.
func (l *disconnects) Collect() {
	if !l.pending.Load() { // nearly always: no lock at each poll
		return
	}
	for _, x := range l.take() {
		x.cancel()
	}
}

// take empties the list.
func (l *disconnects) take() []*exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	l.pending.Store(false)
	return list
}
