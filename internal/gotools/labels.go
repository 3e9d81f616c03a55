package gotools

import (
	"context"
	"runtime/pprof"

	"github.com/selvage-dev/selvage/fiber"
)

// The names of the labels.
const (
	FiberLabel    = "fiber"
	NameLabel     = "name"
	FunctionLabel = "function"
)

// maxFunctions is for how many functions the labels of a fiber are kept.
const maxFunctions = 64

// labels are the sets of labels that a fiber has had, by function. They are made once each, because making one costs
// about a microsecond, and a fiber comes back to the same functions.
type labels struct {
	last context.Context // nil is none yet
	in   string          // the function of last
	made map[string]context.Context
}

// Label gives the calling goroutine the labels of a fiber. Those that it starts have them too.
func (s *Slices) Label(id fiber.ID) { s.LabelIn(id, "") }

// LabelIn is Label for a fiber that is in a function of its program; "" is none.
func (s *Slices) LabelIn(id fiber.ID, function string) {
	f := s.of(id)
	l := &f.label
	if l.last == nil || l.in != function {
		l.last, l.in = l.of(function, func() context.Context { return f.labels(s.base, function) }), function
	}
	pprof.SetGoroutineLabels(l.last)
}

// of are the labels for a function.
func (l *labels) of(function string, create func() context.Context) context.Context {
	if ctx, known := l.made[function]; known {
		return ctx
	}
	if l.made == nil || len(l.made) == maxFunctions {
		l.made = map[string]context.Context{}
	}
	ctx := create()
	l.made[function] = ctx
	return ctx
}

// labels makes those of a fiber, beside those of the context.
func (f *shown) labels(base context.Context, function string) context.Context {
	all := []string{FiberLabel, f.id.String()}
	if f.name != "" {
		all = append(all, NameLabel, f.name)
	}
	if function != "" {
		all = append(all, FunctionLabel, function)
	}
	return pprof.WithLabels(base, pprof.Labels(all...))
}

// Unlabel takes the labels from the calling goroutine.
func (s *Slices) Unlabel() { pprof.SetGoroutineLabels(s.base) }
