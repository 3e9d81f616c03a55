package script

import (
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// spawning is what one spawn command asks for.
type spawning struct {
	names                                []string
	front, frames, nests, joinable, main bool
}

func cmdSpawn(w *world, a *args) {
	var sp spawning
	for first := true; first || a.more(); first = false {
		switch {
		case a.is("front"):
			sp.front = true
		case a.is("frames"):
			sp.frames = true
		case a.is("nests"):
			sp.nests = true
		case a.is("joinable"):
			sp.joinable = true
		case a.is("main"):
			sp.main = true
		default:
			sp.names = append(sp.names, a.fresh("a fiber"))
		}
	}
	switch {
	case len(sp.names) == 0:
		a.misuse("a name is missing")
	case sp.main && len(sp.names) > 1:
		a.fail("only one fiber is the main fiber; spawn the others with another command")
	case repeats(sp.names):
		a.fail("a name is there twice; a name means one thing for ever")
	}
	if !a.done() {
		return
	}
	for i, name := range sp.names {
		if !w.spawn(name, &sp) {
			w.refused = i == 0
			return
		}
	}
}

func repeats(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// spawn makes one fiber. A plain one gets no options, so that scripts go the way of
// the fibers that cost least, too.
func (w *world) spawn(name string, sp *spawning) bool {
	o := scheduler.Options{Front: sp.front, Frames: sp.frames, Nests: sp.nests}
	if sp.joinable {
		o.Cell = new(ioqueue.Cell)
	}
	id, err := w.s.SpawnWith(nil, o)
	if err != nil {
		w.deny("spawn", err)
		return false
	}
	p := w.enlist(name, id.ID(), o.Cell)
	w.say("spawn: %s is %v", name, id)
	if f, ok := w.s.Fiber(id); ok {
		f.Data = p // which knows the ID, and so could not be there before
	}
	if sp.main {
		if err := w.s.Attachments().SetMain(id); err != nil {
			w.deny("spawn", err)
		}
	}
	return true
}
