package vm

import (
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/scheduler"
)

// What the steps of an explored program use (scheduler.Choices.Touch): the words that its instructions
// access, those of the library included, maps and channels as a whole, and all there is for native
// functions that share something else. Objects are named by pointers, which keeps each of them for the
// whole run: no other one takes its address.

// words is an access of words and references. Without a thread it cannot race.
func (w *watcher) words(t *race.Thread, k race.Kind, what string, words []uint64, refs []any) {
	if w.steps {
		for i := range words {
			w.use(k, &words[i])
		}
		for i := range refs {
			w.use(k, &refs[i])
		}
	}
	if t != nil {
		w.races.Words(t, k, what, words)
		w.races.Refs(t, k, what, refs)
	}
}

// whole is an access of something that counts as one word.
func (w *watcher) whole(t *race.Thread, k race.Kind, what string, object any) {
	if w.steps {
		w.use(k, object)
	}
	if t != nil {
		w.races.Whole(t, k, what, object)
	}
}

func (w *watcher) use(k race.Kind, object any) {
	if k == race.Read || k == race.AtomicRead {
		object = scheduler.Read{Object: object}
	}
	w.m.sched.Choices().Touch(object)
}

// made: the goroutine has made an object. The words of large ones are as good as any others of which
// nothing is known.
func (m *Machine) made(o *value.Object) *value.Object {
	w := m.watcher
	if w == nil || !w.steps || len(o.N)+len(o.R) > maxMade {
		return o
	}
	for i := range o.N {
		w.madeWhole(&o.N[i])
	}
	for i := range o.R {
		w.madeWhole(&o.R[i])
	}
	return o
}

const maxMade = 64

func (w *watcher) madeWhole(object any) {
	if w != nil && w.steps {
		w.m.sched.Choices().Touch(scheduler.Created{Object: object})
	}
}

// useShared is the use of channels, and of all that a native function may share.
func (w *watcher) useShared(fn *code.Func, in *code.Instr, n []uint64, r []any) {
	switch in.Op {
	case code.Native:
		w.m.sched.Choices().Touch(nil)
	case code.Close:
		w.useChannel(r[in.A])
	case code.LenChan:
		w.useChannel(r[in.B])
	case code.Send:
		w.useChannel(r[fn.Aux[in.D].I[0]])
	case code.Recv:
		w.useChannel(r[fn.Aux[in.D].I[3]])
	case code.Select:
		for _, c := range fn.Aux[in.D].List {
			w.useChannel(r[c.J])
		}
	}
}

func (w *watcher) useChannel(ref any) {
	if ch, ok := ref.(value.AnyChan); ok && ch != nil {
		w.m.sched.Choices().Touch(ch.Source())
	}
}
