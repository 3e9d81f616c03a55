package fibers

import (
	"github.com/selvage-dev/selvage/host/lua/internal/live"
)

// What the memory quota counts of the objects of the libraries. Waiting fibers count as fibers, and
// their values are in their registers.

const (
	objectBytes = 320 // an object without what it holds
	taskBytes   = 160 // of the task of a fiber that has ended
	slotBytes   = 16  // a value in the buffer of a channel
	slotsAtOnce = 64
)

// Hold is for the memory quota; see live.Holder.
func (o *object[T]) Hold(w *live.Walk, from int) (next int) {
	if from == 0 {
		w.Add(objectBytes)
	}
	switch of := any(o.of).(type) {
	case *channel:
		return holdChannel(of, w, from)
	case *task:
		of.hold(w)
	case *group:
		w.Add(2 * slotBytes * int64(cap(of.tasks)))
		return holdTasks(of.tasks, w, from)
	case interface{ buffered() int }:
		w.Add(int64(of.buffered()))
	}
	return 0
}

func holdChannel(ch *channel, w *live.Walk, from int) (next int) {
	for i := from; ; i++ {
		v, more := ch.Slot(i)
		if !more {
			return 0
		}
		w.Add(slotBytes)
		w.Value(v)
		if i-from == slotsAtOnce {
			return i + 1
		}
	}
}

func holdTasks(tasks []*task, w *live.Walk, from int) (next int) {
	for i := from; i < len(tasks); i++ {
		tasks[i].hold(w)
		if i-from == slotsAtOnce {
			return i + 1
		}
	}
	return 0
}

// hold adds the results of a task.
func (t *task) hold(w *live.Walk) {
	if t.self != nil {
		w.Value(t.self)
	}
	w.Add(taskBytes + slotBytes*int64(cap(t.kept)))
	for _, v := range t.kept {
		w.Value(v)
	}
}

// buffered is the memory of what was read ahead.
func (s *stream) buffered() int { return cap(s.buf.pending) }

// Hold is for the memory quota.
func (f *file) Hold(w *live.Walk, _ int) (next int) {
	w.Add(objectBytes + int64(cap(f.back)+cap(f.late)))
	if f.in != nil {
		w.Add(int64(f.in.Size()))
	}
	return 0
}
