package vm

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// watcher is what Watch needs.
type watcher struct {
	m      *Machine
	points bool // Config.AccessPoints, and decisions are made
	steps  bool // what each step uses is declared
	races  *race.Detector
	found  bool // a race, which ends the program

	threads map[fiber.ID]*race.Thread
	current fiber.ID // whose thread is thread
	thread  *race.Thread
	main    *race.Thread
}

func (m *Machine) beginWatch() error {
	declares := m.prog.Watched && m.sched.Choices().On() && m.sched.Choices().Declare()
	if !m.cfg.Races && !m.cfg.AccessPoints && !declares {
		return nil
	}
	if !m.prog.Watched {
		return errors.New("minigo: the program was not compiled to be watched; data races and preemption at accesses need minigo.CompileWatched")
	}
	m.cfg.JIT = JITOff
	w := &watcher{m: m, points: m.cfg.AccessPoints && m.sched.Choices().On(), steps: declares, threads: map[fiber.ID]*race.Thread{}}
	if m.watcher = w; m.cfg.Races {
		w.races = race.New(w.where, w.report)
	}
	if w.races != nil || w.steps {
		m.host.Watcher = w
	}
	return nil
}

// watch executes a Watch, the instruction before the PC of the top frame: it is about the one at the PC.
func (m *Machine) watch(st *State, in *code.Instr) step {
	w := m.watcher
	if w == nil {
		return next
	}
	fr := st.top()
	if w.points && in.A == code.WatchPlain && !m.trial && !parks(fr.fn.Code[fr.pc].Op) && m.sched.Choices().Point() {
		st.waits = watching
		m.sched.YieldCurrent()
		return parked
	}
	return m.watched(st)
}

// parks reports whether an instruction may wait or start something: it is no access.
func parks(op code.Op) bool {
	switch op {
	case code.Go, code.Send, code.Recv, code.Select:
		return true
	}
	return false
}

// watched is Watch after the fiber may have been preempted. It executes the instructions that
// synchronize, whose effects on others it must know.
func (m *Machine) watched(st *State) step {
	w := m.watcher
	if w.races == nil && !w.steps || m.trial {
		return next
	}
	fr := st.top()
	in, as, what := &fr.fn.Code[fr.pc], fr.fn.Code[fr.pc-1].A, w.name(fr.fn.Code[fr.pc-1].D)
	n, r := st.window()
	if w.steps {
		w.useShared(fr.fn, in, n, r)
	}
	if parks(in.Op) || in.Op == code.Close {
		if w.races == nil {
			return next
		}
		return m.watchedSync(st, fr, in, what, as, n, r)
	}
	t := w.now()
	if as == code.WatchOrder {
		t = nil
	}
	a := accessor{w, t, as == code.WatchAtomic, what}
	a.instruction(fr.fn, in, n, r)
	return w.unlessFound(next)
}

// watchedSync executes an instruction that synchronizes.
func (m *Machine) watchedSync(st *State, fr *frame, in *code.Instr, what string, as uint16, n []uint64, r []any) (s step) {
	fr.pc++
	t := m.watcher.now()
	switch in.Op {
	case code.Go:
		s = m.watchedGo(st, in, t, n, r)
	case code.Send, code.Recv:
		s = m.watchedPass(st, in, t, what, as, n, r)
	case code.Close:
		s = m.watchedClose(st, r[in.A], t, what, as)
	case code.Select:
		s = m.watchedSelect(st, in, t, n, r)
	}
	return m.watcher.unlessFound(s)
}

// unlessFound ends the slice if a race has been found: the program is over.
func (w *watcher) unlessFound(s step) step {
	if w.found {
		w.m.out = fiber.TimesliceExpired
		return leaveSlice
	}
	return s
}

func (w *watcher) name(constant int32) string {
	if constant < 0 {
		return ""
	}
	return value.Str(w.m.prog.Strings[constant])
}

// now is the thread of the running fiber; nil if none runs, or races are not looked for.
func (w *watcher) now() *race.Thread {
	if w.races == nil {
		return nil
	}
	id := w.m.sched.Current()
	if id == 0 {
		return nil
	}
	if id != w.current {
		w.current, w.thread = id, w.of(id)
	}
	return w.thread
}

// of is the thread of a fiber. One that no goroutine has started was started by the host, after all
// that main has done.
func (w *watcher) of(id fiber.ID) *race.Thread {
	t := w.threads[id]
	if t == nil {
		t = w.start(id, nil)
		if w.main == nil {
			w.main = t
		}
		t.Acquire(w.main.Snapshot())
	}
	return t
}

func (w *watcher) start(id fiber.ID, parent *race.Thread) *race.Thread {
	t := w.races.Start(goroutineName(id), parent)
	w.threads[id] = t
	return t
}
