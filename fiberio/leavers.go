package fiberio

import (
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// leavers are the requests whose clients have gone away, on their way to the owner. There are
// never more than requests. They have a list of their own because the inbox can be full, and a
// handler that nobody waits for must not go on for that.
type leavers struct {
	inbox *scheduler.Inbox
	some  atomic.Bool // the list is not empty
	mu    sync.Mutex
	list  []*exchange
}

var _ scheduler.Collector = (*leavers)(nil)

// add is called on a goroutine of net/http.
func (l *leavers) add(x *exchange) {
	l.mu.Lock()
	l.list = append(l.list, x)
	l.some.Store(true)
	l.mu.Unlock()
	l.inbox.Notify()
}

// Serve is for the scheduler: nothing here is an operation.
func (l *leavers) Serve([]fiber.Token) {}

// Collect is for the scheduler. A request that was not begun before will not be: it knows that
// its client has gone.
func (l *leavers) Collect() {
	if !l.some.Load() {
		return
	}
	for _, x := range l.take() {
		x.giveUp()
	}
}

func (l *leavers) take() []*exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	l.some.Store(false)
	return list
}
