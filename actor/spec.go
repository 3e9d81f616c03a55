package actor

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

// Spec is what an actor is made of.
type Spec[M any] struct {
	// Name is for reports and errors; it need not be unique.
	Name string
	// New makes the handler, at the spawn and at every restart. It may use cx.
	New func(cx *Context[M]) Handler[M]
}

// Stateless is the New of a handler that has no state to begin anew.
func Stateless[M any](f HandlerFunc[M]) func(*Context[M]) Handler[M] {
	return func(*Context[M]) Handler[M] { return f }
}

func (s *Spec[M]) valid() bool { return s.New != nil }
