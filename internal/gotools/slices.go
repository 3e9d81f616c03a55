package gotools

import (
	"context"
	"runtime/trace"

	"github.com/selvage-dev/selvage/fiber"
)

// Slices shows the slices of one scheduler, whose owner calls all methods.
type Slices struct {
	name    func(fiber.ID) string
	base    context.Context // of the goroutine that is labeled
	fibers  []shown         // by slot
	running []slice         // innermost last: a slice may run others above it
}

type shown struct {
	id    fiber.ID
	name  string
	label labels
	task  *trace.Task     // nil while no trace has met the fiber
	ctx   context.Context // of the task
}

type slice struct {
	slot   uint32
	region *trace.Region // nil without a trace
}

// New makes one. It asks for the name of a fiber once, at its first slice; "" is none.
func New(name func(fiber.ID) string) *Slices { return &Slices{name: name, base: context.Background()} }

// Within says which labels the goroutine has besides, and gets back by Unlabel: those of the context.
func (s *Slices) Within(ctx context.Context) { s.base = ctx }

// Begin is called on the goroutine that End is called on, before a fiber runs.
func (s *Slices) Begin(id fiber.ID) {
	now := slice{slot: id.Index()}
	if trace.IsEnabled() {
		f := s.of(id)
		if f.task == nil {
			f.ctx, f.task = trace.NewTask(context.Background(), title(f.name))
			trace.Log(f.ctx, FiberLabel, id.String())
		}
		now.region = trace.StartRegion(f.ctx, "slice")
	}
	s.running = append(s.running, now)
}

// title is the type of a task, by which go tool trace groups them.
func title(name string) string {
	if name == "" {
		return "fiber"
	}
	return name
}

// End is called when the slice that has begun last has ended, and says whether the fiber has.
func (s *Slices) End(dead bool) {
	n := len(s.running) - 1
	if n < 0 {
		return
	}
	last := s.running[n]
	s.running = s.running[:n]
	if last.region != nil {
		last.region.End()
	}
	if dead && int(last.slot) < len(s.fibers) {
		s.fibers[last.slot].end()
	}
}

// Running reports whether a slice has begun and not ended.
func (s *Slices) Running() bool { return len(s.running) > 0 }

// Close ends what is left.
func (s *Slices) Close() {
	for s.Running() {
		s.End(false)
	}
	for i := range s.fibers {
		s.fibers[i].end()
	}
}

// of is what is shown of a fiber. The one that lived in its slot before has ended.
func (s *Slices) of(id fiber.ID) *shown {
	for int(id.Index()) >= len(s.fibers) {
		s.fibers = append(s.fibers, shown{})
	}
	f := &s.fibers[id.Index()]
	if f.id != id {
		f.end()
		f.id, f.name = id, s.name(id)
	}
	return f
}

func (f *shown) end() {
	if f.task != nil {
		f.task.End()
	}
	*f = shown{}
}
