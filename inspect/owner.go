package inspect

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// maxWaiting is how many requests may wait for the owner of the scheduler. Those beyond are refused.
const maxWaiting = 64

var (
	errBusy       = errors.New("too many requests wait for the program: ask again later")
	errUnanswered = errors.New("the program has not answered in time: it is in a long call of native code, or nothing drives its scheduler")
	errOver       = errors.New("the run has ended")
)

// owner hands functions to the goroutine that owns the scheduler. At most one command of it is in the
// scheduler's inbox, so that a program that does not poll for a long time keeps its inbox.
type owner struct {
	inbox   *scheduler.Inbox
	timeout time.Duration
	queue   chan *ask
	posted  atomic.Bool   // a drain is in the inbox
	over    chan struct{} // closed when no more is carried out
	close   sync.Once
	final   bool // when the inbox is closed, nothing is carried out any more
}

// ask is one function that waits. The goroutine that takes it from waiting to another state decides
// whether it is carried out.
type ask struct {
	do    func()
	done  chan struct{}
	taken atomic.Bool
}

func newOwner(core *scheduler.Core, timeout time.Duration) *owner {
	return &owner{inbox: core.Inbox(), timeout: timeout, queue: make(chan *ask, maxWaiting), over: make(chan struct{})}
}

// another is for a scheduler that nothing holds after its end. It is shut with o.
func (o *owner) another(core *scheduler.Core) *owner {
	return &owner{inbox: core.Inbox(), timeout: o.timeout, queue: make(chan *ask, maxWaiting), over: o.over, final: true}
}

// do has the owner call f between two slices, and returns when it has. If it returns an error, f has not been
// called and never is.
func (o *owner) do(f func()) error {
	select {
	case <-o.over:
		return errOver
	default:
	}
	a := &ask{do: f, done: make(chan struct{})}
	select {
	case o.queue <- a:
	default:
		if err := o.post(); err != nil {
			return err // nothing empties the queue any more
		}
		return errBusy
	}
	if err := o.post(); err != nil {
		return a.abandon(err)
	}
	limit := time.NewTimer(o.timeout)
	defer limit.Stop()
	select {
	case <-a.done:
		return nil
	case <-limit.C:
		return a.abandon(errUnanswered)
	case <-o.over:
		return a.abandon(errOver)
	}
}

// post puts a drain into the inbox unless one is there. A closed inbox is no error if Hold answers without it.
func (o *owner) post() error {
	if !o.posted.CompareAndSwap(false, true) {
		return nil
	}
	err := o.inbox.Do(o.drain)
	if err == nil {
		return nil
	}
	o.posted.Store(false)
	if errors.Is(err, scheduler.ErrStopped) && !o.final {
		return nil
	}
	return err
}

// abandon gives the ask up. One that has begun is short, and its end is waited for.
func (a *ask) abandon(err error) error {
	if a.taken.CompareAndSwap(false, true) {
		return err
	}
	<-a.done
	return nil
}

func (a *ask) run() {
	if a.taken.CompareAndSwap(false, true) {
		defer close(a.done)
		a.do()
	}
}

// drain is the owner's: it carries out what waited when it began.
func (o *owner) drain() {
	o.posted.Store(false)
	for range len(o.queue) {
		select {
		case a := <-o.queue:
			a.run()
		default:
			return
		}
	}
}

// hold is the owner's, after the run: it carries out what comes until ctx ends or shut is called.
func (o *owner) hold(ctx context.Context) {
	for {
		select {
		case a := <-o.queue:
			a.run()
		case <-ctx.Done():
			return
		case <-o.over:
			return
		}
	}
}

// shut refuses what waits and what comes.
func (o *owner) shut() { o.close.Do(func() { close(o.over) }) }
