package schedscript

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// config reads the settings of a new scheduler.
func (a *args) config() (cfg scheduler.Config) {
	limits := map[string]*int{
		"max-fibers": &cfg.MaxFibers, "max-trampolines": &cfg.MaxTrampolines, "max-tokens": &cfg.MaxTokens, "max-nesting": &cfg.MaxNesting,
	}
	for a.more() {
		switch option := a.word("an option"); {
		case limits[option] != nil:
			*limits[option] = a.number(option)
		case option == "grace":
			cfg.Grace = a.duration()
		case option == "seed":
			cfg.Seed = uint64(a.number(option))
		case option == "number":
			cfg.Number = uint16(a.number(option))
		default:
			a.misuse("%q is no option", option)
		}
	}
	return cfg
}

func (w *world) cmdNew(cfg scheduler.Config) {
	w.begin(cfg)
	w.answer("scheduler %d", w.s.Inspect().Number())
}

// spawning is what one spawn command asks for.
type spawning struct {
	names                                []string
	front, frames, nests, joinable, main bool
}

func (a *args) spawning() (sp spawning) {
	settings := map[string]*bool{
		"front": &sp.front, "frames": &sp.frames, "nests": &sp.nests, "joinable": &sp.joinable, "main": &sp.main,
	}
	for first := true; first || a.more(); first = false {
		if len(a.words) > 0 && settings[a.words[0]] != nil {
			*settings[a.word("a setting")] = true
		} else {
			sp.names = append(sp.names, a.newName("a fiber"))
		}
	}
	switch {
	case len(sp.names) == 0:
		a.misuse("a name is missing")
	case sp.main && len(sp.names) > 1:
		a.fail("only one fiber is the main fiber; spawn the others with another command")
	case repeats(sp.names):
		a.fail("a name is there twice; a name means one thing until the next new")
	}
	return sp
}

func repeats(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
}

func (w *world) cmdSpawn(sp spawning) {
	for i, name := range sp.names {
		if !w.spawn(name, &sp) {
			w.refused = i == 0
			return
		}
	}
}

// spawn makes one fiber. A plain one gets no options, so that scripts also cover the fibers that
// need the least memory.
func (w *world) spawn(name string, sp *spawning) bool {
	o := scheduler.Options{Front: sp.front, Frames: sp.frames, Nests: sp.nests, Main: sp.main}
	if sp.joinable {
		o.Cell = new(ioqueue.Cell)
	}
	id, err := w.s.SpawnWith(nil, o)
	if err != nil {
		w.deny(err)
		return false
	}
	p := w.enlist(name, id.ID(), o.Cell)
	w.answer("%s is %v", name, id)
	if f, ok := w.s.Fiber(id); ok {
		f.Data = p // the payload holds the ID, so SpawnWith cannot take it
	}
	return true
}

func (w *world) cmdNext() {
	switch f := w.next(); {
	case f == nil:
		w.answer("no fiber is ready")
	case w.executing() != f.Data:
		w.answer("%s, executing %s", f.Data.name, w.id(w.s.Inspect().Executing()))
	default:
		w.answer("%s", f.Data.name)
	}
}

// next mounts the next fiber, if one is ready in this batch or the one after it.
func (w *world) next() *scheduler.Fiber[*member] {
	f := w.s.ScheduleNext()
	if f == nil && w.s.Poll() {
		f = w.s.ScheduleNext()
	}
	return f
}

func (a *args) turns() int {
	n := a.number("how often")
	if n > limit {
		a.fail("%d turns are too many; want at most %d", n, limit)
	}
	return n
}

func (w *world) cmdSpin(n int) {
	var ran []*member
	for range n {
		f := w.next()
		if f == nil {
			break
		}
		ran = append(ran, f.Data)
		w.s.YieldCurrent()
	}
	w.Say("spin:%s", namesOf(ran))
}

func (w *world) cmdYield() { w.asCurrent(w.s.YieldCurrent) }

// asCurrent does something in the current fiber, and answers with that fiber.
func (w *world) asCurrent(do func()) {
	id := w.s.Current()
	do()
	w.answer("%s", w.id(id))
}

// outcome reads how a time slice ends.
func (a *args) outcome() fiber.Outcome {
	kinds := map[string]fiber.OutcomeKind{
		"frame-changed": fiber.FrameChanged, "timeslice-expired": fiber.TimesliceExpired, "panic": fiber.Panic, "done": fiber.Done,
	}
	s := a.word("an outcome")
	kind, plain := kinds[s]
	switch {
	case plain:
		return fiber.Outcome{Kind: kind}
	case s == "osr":
		return fiber.Replace(fiber.Point{Tier: 1})
	case s == "block":
		return fiber.BlockOn(a.by(a.reason()))
	default:
		a.fail("%q is no outcome; want frame-changed, timeslice-expired, block REASON, panic, done or osr", s)
	}
	return fiber.Outcome{}
}

func (w *world) cmdFinish(o fiber.Outcome) {
	p := w.executing()
	resume := w.s.Finish(o)
	if o.Kind == fiber.Block {
		if p.armed.IsZero() { // then Finish has armed the wait, with the reason of the outcome
			p.wait = w.collectsToken(o.Reason)
		}
		p.armed = fiber.Ticket{}
	}
	if resume {
		w.answer("resume %s at once", w.id(w.s.Inspect().Executing()))
		return
	}
	w.answer("the slice is over")
}

func (w *world) cmdExit(c ioqueue.Completion) {
	id := w.s.Current()
	value, err := w.s.Exit(c.Value, c.Err)
	w.answer("%s ends with %s", w.id(id), answer(value, err))
}

func (w *world) cmdCancel(id fiber.ID, cause error) { w.answerID(id, w.s.Cancel(id, cause)) }

// answerID is the answer of a call about a fiber that may fail.
func (w *world) answerID(id fiber.ID, err error) { w.answerUnless(err, "%s", w.id(id)) }

// fiberOrAll reads a fiber; nil means all fibers.
func (a *args) fiberOrAll() *fiber.ID {
	if a.is("all") {
		return nil
	}
	id := a.fiber()
	return &id
}

func (w *world) cmdKill(id *fiber.ID, cause error) {
	if id != nil {
		w.answerID(*id, w.s.Kill(*id, cause))
		return
	}
	w.s.Steps().KillAll(cause)
	w.answer("all")
}

func (w *world) cmdTakeInterrupt() {
	code, cause := w.s.TakeInterrupt()
	if code == fiber.Pending {
		w.answer("no")
		return
	}
	w.answer("%v (%s)", code, w.names.In(cause.Error()))
}

func (w *world) cmdMask() { w.asCurrent(w.s.Unwind().Mask) }

func (w *world) cmdUnmask() { w.asCurrent(w.s.Unwind().Unmask) }
