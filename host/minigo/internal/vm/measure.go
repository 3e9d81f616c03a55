package vm

import (
	"iter"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// measurement adds up the memory that a program can reach. While it runs, each slice of any fiber
// continues it, and no code of the program runs. Its work is counted in steps.
type measurement struct {
	m    *Machine
	next func() (struct{}, bool)
	stop func()
	pace *value.Pace
	seen map[uintptr]struct{}
	work [][]any // references that have to be followed
	live int64
}

// The memory of what a program makes, without what it refers to.
const (
	fiberBytes    = 200
	deferredBytes = 200
	channelBytes  = 300
	closureBytes  = 48
	iteratorBytes = 64
	panicBytes    = 1200
	stringBytes   = 16
	otherBytes    = 64
)

func (m *Machine) newMeasurement() *measurement {
	x := &measurement{m: m, seen: map[uintptr]struct{}{}}
	x.next, x.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer recoverAbandoned()
		x.pace = value.NewPace(m.yields(yield))
		x.run()
		x.pace.Flush()
	})
	return x
}

// continueMeasurement continues it to its end or that of the slice.
func (m *Machine) continueMeasurement() (over bool) {
	x := m.mem.measure
	if _, more := x.next(); more {
		return false
	}
	m.endMeasurement(x.live)
	return true
}

// run adds up everything.
func (x *measurement) run() {
	x.m.sortTexts(x.pace)
	for _, g := range x.m.globals {
		x.object(g)
		x.follow()
	}
	var fibers []fiber.RegularID
	for id := range x.m.group.Fibers() {
		fibers = append(fibers, id)
	}
	for _, id := range fibers {
		if f, ok := x.m.sched.Fiber(id); ok {
			x.fiber(&f.Data)
		}
	}
	for op := range x.m.ops.all {
		x.live += op.holds
	}
	x.m.host.Alarms(func(ch any) {
		x.live += lib.AlarmBytes
		x.pace.Spend(otherBytes)
		x.ref(ch)
	})
	x.m.mem.texts = slices.DeleteFunc(x.m.mem.texts, func(e extent) bool { return !e.reached })
}

// fiber adds a fiber.
func (x *measurement) fiber(st *State) {
	x.live += int64(fiberBytes + len(st.num)*wordBytes + len(st.ref)*refBytes + cap(st.frames)*int(frameSize))
	x.refs(st.ref)
	if st.more != nil {
		for p := st.more.panics; p != nil; p = p.before {
			x.live += panicBytes
			x.ref(p.v.R)
		}
		for d := st.more.deferred; d != nil; d = d.next {
			x.live += int64(deferredBytes + len(d.n)*wordBytes + len(d.r)*refBytes)
			x.refs(d.r)
			x.ref(d.v.R)
			if d.clo != nil {
				x.ref(d.clo)
			}
			x.follow()
		}
		if st.more.trial != nil {
			x.fiber(&st.more.trial.st)
		}
	}
	x.follow()
}

// refs notes references to be followed.
func (x *measurement) refs(r []any) {
	if len(r) > 0 {
		x.work = append(x.work, r)
	}
}

// follow follows all references that were noted.
func (x *measurement) follow() {
	for len(x.work) > 0 {
		top := &x.work[len(x.work)-1]
		r := (*top)[0]
		if *top = (*top)[1:]; len(*top) == 0 {
			x.work = x.work[:len(x.work)-1]
		}
		x.pace.Spend(refBytes)
		x.ref(r)
	}
}

// first reports whether an address is seen for the first time.
func (x *measurement) first(at uintptr) bool {
	if _, seen := x.seen[at]; seen {
		return false
	}
	x.pace.Spend(2 * otherBytes)
	x.seen[at] = struct{}{}
	return true
}

// ref adds what a reference refers to.
func (x *measurement) ref(r any) {
	switch v := r.(type) {
	case nil:
	case *value.Object:
		if whole := v.Whole(); whole != v {
			if x.first(dataWord(v)) {
				x.live += value.ObjectBytes
			}
			v = whole
		}
		x.object(v)
	case string:
		x.string(r, v)
	default:
		if x.first(dataWord(r)) {
			x.other(r)
		}
	}
}

func (x *measurement) object(o *value.Object) {
	if o != nil && x.first(dataWord(o)) {
		x.live += int64(value.Bytes(cap(o.N), cap(o.R)))
		x.refs(o.R)
	}
}

func (x *measurement) string(r any, s string) {
	if !x.first(dataWord(r)) {
		return
	}
	x.live += stringBytes
	if len(s) < sharedBytes {
		x.live += int64(len(s))
		return
	}
	if e := x.m.extentOf(s); e != nil && !e.reached {
		e.reached = true
		x.live += int64(e.size)
	}
}

func (x *measurement) other(r any) {
	switch v := r.(type) {
	case *value.Map:
		x.live += int64(v.Bytes())
		v.EachRefs(x.refs)
	case *value.Closure:
		x.live += int64(closureBytes + len(v.Caps)*refBytes)
		x.refs(v.Caps)
	case *value.Iterator:
		x.live += iteratorBytes
		if v.Map() != nil {
			x.ref(v.Map())
		}
	case *value.Words:
		x.live += int64(channelBytes + v.Len()*wordBytes)
	case *strings.Builder:
		x.builder(v)
	case *value.Chan:
		x.channel(v)
	default:
		x.live += int64(lib.BytesOf(r))
	}
}

// builder adds a builder, which may share its memory with a string.
func (x *measurement) builder(b *strings.Builder) {
	x.live += otherBytes + int64(b.Cap())
	if e := x.m.extentOf(b.String()); e != nil {
		if e.reached {
			x.live -= int64(e.size)
		}
		e.reached = true
	}
}

func (x *measurement) channel(c *value.Chan) {
	x.live += channelBytes
	for i := 0; ; i++ {
		v, more := c.Slot(i)
		if !more {
			return
		}
		x.live += wordBytes + refBytes
		x.pace.Spend(refBytes)
		x.ref(v.R)
	}
}
