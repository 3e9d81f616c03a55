package explore

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
)

// Step is what one fiber ran without being switched.
type Step struct {
	Fiber string   `json:"fiber"` // its ID
	Lines []string `json:"lines"` // FILE:LINE, or "FILE: FUNCTION", where it was at decisions and when it began and ended to run, in order
	End   string   `json:"end"`   // why it stopped: "waits", "yields", "ends"; "" if it was preempted
}

// FiberState is a fiber at the end of a run.
type FiberState struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Site     string   `json:"site"` // where it is in the program
	State    string   `json:"state"`
	WaitsFor []string `json:"waits_for,omitempty"` // what it waits for, after a deadlock or leak
	HeldBy   []string `json:"held_by,omitempty"`   // the IDs of the fibers known to be able to end the wait
}

// Show tells the run that ctx, the context that Guest gives, belongs to which scheduler runs the program.
// The Ending then has the steps of the fibers and their last states. A host calls it before it
// spawns the main fiber, on the goroutine that runs the scheduler.
func Show(ctx context.Context, core *scheduler.Core) {
	if v, shown := ctx.Value(viewKey{}).(*view); shown {
		v.core = core
	}
}

// viewKey is the key of the view in a context.
type viewKey struct{}

// view writes down where the fibers of one run are. A nil view does nothing.
type view struct {
	core    *scheduler.Core // nil before Show
	steps   []Step
	omitted int
	fibers  map[fiber.ID]*FiberState // those that are alive
	order   []fiber.ID
	current fiber.ID
	closed  bool // fibers are killed: what follows is the end of the host
}

// Of a long run the first and the last steps are kept.
const (
	keptSteps = 20 // of each
	keptLines = 16 // of a step
)

// observe is called with each transition.
func (v *view) observe(t scheduler.Transition) {
	if v == nil || v.core == nil || v.closed || t.ID == 0 {
		return
	}
	end := ""
	switch t.Op {
	case op.Kill:
		v.closed = true
		return
	case op.Exit:
		v.ends(t.ID)
		return
	case op.Spawn:
		v.fibers[t.ID] = &FiberState{ID: t.ID.String(), Name: v.core.Inspect().Name(t.ID)}
		v.order = append(v.order, t.ID)
	case op.Next:
		v.current = 0 // a fiber that runs twice in a row has two steps
		v.at(t.ID)
	case op.Block:
		end = "waits"
	case op.Yield:
		end = "yields"
	}
	if end != "" {
		v.at(t.ID)
		v.last(end)
	}
	v.update(t.ID)
}

func (v *view) ends(id fiber.ID) {
	if v.current == id {
		v.last("ends")
	}
	delete(v.fibers, id)
	v.order = slices.DeleteFunc(v.order, func(of fiber.ID) bool { return of == id })
}

func (v *view) last(end string) {
	if n := len(v.steps); n > 0 {
		v.steps[n-1].End = end
	}
}

// update reads the state of a fiber.
func (v *view) update(id fiber.ID) {
	f := v.fibers[id]
	if f == nil {
		return
	}
	f.State = v.core.Inspect().State(id).String()
	if site := v.core.Inspect().Site(id); site != "" {
		f.Site = site
	}
}

// at notes where the fiber is that runs.
func (v *view) at(id fiber.ID) {
	if v == nil || v.core == nil || v.closed {
		return
	}
	if v.current != id {
		v.begin(id)
	}
	v.update(id)
	line := lineOf(v.core.Inspect().Site(id))
	s := &v.steps[len(v.steps)-1]
	if n := len(s.Lines); line != "" && n < keptLines && (n == 0 || s.Lines[n-1] != line) {
		s.Lines = append(s.Lines, line)
	}
}

// begin begins a step.
func (v *view) begin(id fiber.ID) {
	v.current = id
	if len(v.steps) == 2*keptSteps {
		v.steps = slices.Delete(v.steps, keptSteps, keptSteps+1)
		v.omitted++
	}
	v.steps = append(v.steps, Step{Fiber: id.String(), Lines: []string{}})
}

// lineOf is the position at the end of a site, which may begin with a function, without directories.
func lineOf(site string) string {
	if site == "" {
		return ""
	}
	if at := strings.LastIndex(site, " at "); at >= 0 {
		site = site[at+len(" at "):]
	}
	file, place, hasPlace := strings.Cut(site, ": ")
	if file = path.Base(file); hasPlace {
		return file + ": " + place
	}
	return file
}

// complete adds what was seen to an ending.
func (v *view) complete(e *Ending, err error) {
	if v == nil || v.core == nil {
		return
	}
	e.Steps, e.Omitted = v.steps, v.omitted
	if r := reportOf(err); r != nil && (e.Kind == Deadlock || e.Kind == Leak) {
		v.waits(r)
		if text := r.String(); !strings.Contains(e.Text, text) {
			e.Waits = text
		}
	}
	for _, id := range v.order {
		e.Fibers = append(e.Fibers, *v.fibers[id])
	}
}

// reportOf is the wait-for graph of an error; nil if it has none.
func reportOf(err error) *scheduler.Report {
	var deadlock *scheduler.DeadlockError
	var leak *scheduler.LeakError
	switch {
	case errors.As(err, &deadlock):
		return deadlock.Report
	case errors.As(err, &leak):
		return leak.Report
	}
	return nil
}

// waits adds what the fibers of a report wait for.
func (v *view) waits(r *scheduler.Report) {
	for i := range r.Fibers {
		b := &r.Fibers[i]
		f := v.fibers[b.ID]
		if f == nil {
			continue
		}
		f.Site, f.State, f.WaitsFor = b.Site, fiber.Blocked.String(), b.On
		for _, id := range b.Holders {
			f.HeldBy = append(f.HeldBy, id.String())
		}
	}
}
