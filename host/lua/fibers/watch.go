package fibers

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// watcher is what Config.Races and Config.AccessPoints need. Its methods accept nil: nothing is watched. It
// is the lua.Watcher of the Host, and observes the scheduler, because the fiber that completes an
// operation of another one must know which fiber that is.
type watcher struct {
	env    *env
	races  *race.Detector // nil without Config.Races
	points bool           // Config.AccessPoints
	steps  bool           // the search wants to know what each step uses (scheduler.Config.Touched)
	found  *RaceError     // which ends the program
	report func(*RaceError)
	// accessed is the place of the access that the detector examines.
	accessed any

	threads map[fiber.ID]*race.Thread
	main    *race.Thread
	ended   map[fiber.ID]bool
	blocked map[fiber.ID]bool       // since its last operation began
	wakes   map[fiber.ID][]fiber.ID // the fibers that a fiber has woken since its last operation began
	holds   map[fiber.ID][]any      // what a fiber is to release, which its end does otherwise
}

var errNotWatched = errors.New("fibers: this build cannot watch Lua programs; data races and preemption at accesses need a build without the tag purego")

// watching makes the watcher of a Host, if it is to have one, and adds it to the configuration.
func (e *env) watching(cfg *Config) {
	steps := cfg.Runtime.Choose != nil && cfg.Runtime.Touched != nil && cfg.On == nil
	if !cfg.Races && !cfg.AccessPoints && !steps || !lua.CanWatch() {
		return
	}
	if cfg.On != nil {
		panic("fibers: Config.Races and Config.AccessPoints need a Host with a Runtime of its own; leave out Config.On: " + rule.Cite(rule.ValidArgument))
	}
	w := &watcher{
		env: e, points: cfg.AccessPoints, steps: steps, threads: map[fiber.ID]*race.Thread{}, ended: map[fiber.ID]bool{},
		blocked: map[fiber.ID]bool{}, wakes: map[fiber.ID][]fiber.ID{}, holds: map[fiber.ID][]any{},
	}
	w.report = w.endProgram
	e.watch, cfg.Lua.Watcher = w, w
	if !cfg.Races {
		return
	}
	w.races = race.New(w.where, w.foundRace)
	observed := cfg.Runtime.Observer
	cfg.Runtime.Observer = func(t scheduler.Transition) {
		w.observe(t)
		if observed != nil {
			observed(t)
		}
	}
}

// canWatch is an error if the configuration asks for what this build has not.
func (e *env) canWatch() error {
	if e.watch == nil && (e.cfg.Races || e.cfg.AccessPoints) {
		return errNotWatched
	}
	return nil
}

// observe follows the fibers.
func (w *watcher) observe(t scheduler.Transition) {
	switch t.Op {
	case op.Spawn:
		w.threads[t.ID] = w.races.Start("fiber "+t.ID.String(), w.now())
	case op.Block:
		w.blocked[t.ID] = true
	case op.Deliver:
		if t.Answer == fiber.Woken.String() {
			by := w.env.rt.Scheduler().Current()
			w.wakes[by] = append(w.wakes[by], t.ID)
		}
	case op.Exit, op.Reap:
		w.ended[t.ID] = true
		for _, object := range w.holds[t.ID] {
			w.races.Merge(w.of(t.ID), object)
		}
		delete(w.holds, t.ID)
	}
}

// now is the thread of the fiber that executes; nil if none does.
func (w *watcher) now() *race.Thread {
	if id := w.env.rt.Scheduler().Current(); id != 0 {
		return w.of(id)
	}
	return nil
}

// of is the thread of a fiber. One that no fiber has started was started by the host, after all that the
// main fiber has done.
func (w *watcher) of(id fiber.ID) *race.Thread {
	t := w.threads[id]
	if t == nil {
		t = w.races.Start("fiber "+id.String(), nil)
		w.threads[id] = t
	}
	switch {
	case w.main == nil:
		w.main = t
	case t.Parent == nil && t != w.main:
		t.Acquire(w.main.Snapshot())
		t.Parent = w.main
	}
	return t
}

// Point preempts the fiber before an access, if the search decides so.
func (w *watcher) Point() bool {
	s := w.env.rt.Scheduler()
	if !w.points || !s.Choices().On() || s.Current() == 0 || !s.Choices().Point() {
		return false
	}
	w.env.state.Preempt()
	return true
}

// Access is an access by the fiber that executes.
func (w *watcher) Access(place any, kind race.Kind) {
	if w.steps {
		used := place
		if kind == race.Read {
			used = scheduler.Read{Object: place}
		}
		w.env.rt.Scheduler().Choices().Touch(used)
	}
	if w.races == nil || w.found != nil {
		return
	}
	if t := w.now(); t != nil {
		w.accessed = place
		w.races.Whole(t, kind, "", place)
		w.accessed = nil
	}
	if w.found != nil {
		w.env.state.Preempt() // the fiber has been killed
	}
}
