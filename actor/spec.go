package actor

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Handler is a synchronous actor: it is called with each message, one after the other,
// and must not block. What it does through cx is appended to the queue in that order.
// A panic ends the actor; what it did before stays done.
type Handler[M any] interface {
	Handle(cx *Context[M], msg M)
}

// HandlerFunc is a Handler that is a function.
type HandlerFunc[M any] func(cx *Context[M], msg M)

// Handle calls the function.
func (f HandlerFunc[M]) Handle(cx *Context[M], msg M) { f(cx, msg) }

// Spec is what an actor is made of: New makes it synchronous, Start asynchronous.
type Spec[M any] struct {
	// Name is for reports and errors; it need not be unique.
	Name string
	// New makes the handler, at the spawn and at every restart. It may use cx.
	New func(cx *Context[M]) Handler[M]
	// Start spawns the fiber of an asynchronous actor with these options, at the spawn and
	// at every restart. The fiber takes its messages from cx.Inbox() and acts through cx,
	// like a handler. Its return is the actor's end, and its error or panic the actor's
	// failure; if the actor ends first, the fiber is killed. Package goactor has one for
	// Go functions.
	Start func(cx *Context[M], o scheduler.Options) (fiber.ID, error)
	// Inbox limits the messages that wait for the actor, in the queue and in its inbox; Full
	// decides about one more. The default is 1<<16 for an asynchronous actor; a synchronous
	// one is limited only by Options.MaxQueue.
	Inbox int
	Full  Policy
	// Supervise is what the actor does about failures of its children.
	Supervise Supervision
}

// Stateless is the New of a handler that has no state to begin anew.
func Stateless[M any](f HandlerFunc[M]) func(*Context[M]) Handler[M] {
	return func(*Context[M]) Handler[M] { return f }
}

func (s *Spec[M]) valid() bool { return (s.New == nil) != (s.Start == nil) }

// limit is Inbox with its defaults.
func (s *Spec[M]) limit() int {
	switch {
	case s.Inbox > 0:
		return s.Inbox
	case s.Start != nil:
		return defaultInbox
	}
	return math.MaxInt
}
