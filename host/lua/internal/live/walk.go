package live

import glua "github.com/yuin/gopher-lua"

// Holder is the value of a userdata that holds Lua values or memory of its own.
type Holder interface {
	// Hold adds what the object holds to the walk, from a position on, which is 0 at first. It
	// returns the position to continue at, or 0 if that was all. Each call adds a few values.
	Hold(w *Walk, from int) (next int)
}

// Walk is one measurement.
type Walk struct {
	// Coroutine adds what a thread value of a program stands for, and returns whether it is one of
	// the host's; other threads are measured as they are.
	Coroutine func(w *Walk, L *glua.LState) bool

	bytes   int64
	work    int64
	classes *[largest/8 + 1]uint16
	layout  *layout
	seen    seen
	number  uintptr          // the last that was visited
	plain   map[any]struct{} // without a layout: what was visited
	open    list             // objects that were not visited to their end
}

// New begins a measurement of nothing.
func New() *Walk {
	w := &Walk{classes: classes(), layout: known()}
	if w.layout == nil {
		w.plain = make(map[any]struct{})
	}
	return w
}

// Bytes is what has been measured so far.
func (w *Walk) Bytes() int64 { return w.bytes }

// Add counts n bytes.
func (w *Walk) Add(n int64) { w.bytes += n }

// Run visits objects until it has done so much work, or all are visited. A unit of work is one value,
// one element of a table or one register. It returns what it has done.
func (w *Walk) Run(work int64) (done int64, all bool) {
	w.work = 0
	for !w.open.empty() {
		if w.work >= work {
			return w.work, false
		}
		if top := w.open.top(); w.step(top, work) {
			w.open.pop()
		}
	}
	return w.work, true
}

// part is an object, and the position that it was visited to; finished is its end.
type part struct {
	object any
	next   int
}

const finished = -1

// step visits the next parts of an object, until it finds one that has parts itself or the work is
// done. It returns true if there are no more.
func (w *Walk) step(p *part, work int64) bool {
	switch of := p.object.(type) {
	case Holder:
		w.work++
		if p.next == finished {
			return true
		}
		if p.next = of.Hold(w, p.next); p.next == 0 {
			p.next = finished
		}
		return false
	case *glua.FunctionProto:
		return w.stepCode(of, p, work)
	}
	if w.layout == nil {
		return w.stepPlain(p)
	}
	return w.stepKnown(p, work)
}

// opened returns whether Run is to look at the list again, or has done its work.
func (w *Walk) opened(p *part, work int64) bool { return w.open.top() != p || w.work >= work }

// stepCode visits the constants of compiled code, then its names, then the functions in it.
func (w *Walk) stepCode(f *glua.FunctionProto, p *part, work int64) bool {
	for {
		i := p.next
		p.next++
		w.work++
		switch n := len(f.Constants); {
		case i < n:
			w.constant(f.Constants[i])
		case i-n < len(f.DbgLocals):
			w.characters(f.DbgLocals[i-n].Name)
		case i-n-len(f.DbgLocals) < len(f.DbgCalls):
			w.characters(f.DbgCalls[i-n-len(f.DbgLocals)].Name)
		case i-n-len(f.DbgLocals)-len(f.DbgCalls) < len(f.FunctionPrototypes):
			w.code(f.FunctionPrototypes[i-n-len(f.DbgLocals)-len(f.DbgCalls)])
		default:
			return true
		}
		if w.opened(p, work) {
			return false
		}
	}
}

// constant adds a constant of compiled code. The compiler allocates each number by itself.
func (w *Walk) constant(v glua.LValue) {
	const number = 8
	if _, ok := v.(glua.LNumber); ok {
		w.bytes += number
		return
	}
	w.Value(v)
}

// code adds compiled code.
func (w *Walk) code(f *glua.FunctionProto) {
	const header, local, call, name = 240, 32, 24, 16
	if f == nil || !w.first(f) {
		return
	}
	w.bytes += header + w.text(4*cap(f.Code)) + w.object(16*cap(f.Constants)) + w.object(8*cap(f.FunctionPrototypes)) +
		w.text(8*cap(f.DbgSourcePositions)) + w.object(8*cap(f.DbgLocals)) + local*int64(len(f.DbgLocals)) +
		w.object(call*cap(f.DbgCalls)) + w.object(name*cap(f.DbgUpvalues)) + w.object(name*w.namesOf(f))
	w.characters(f.SourceName)
	for _, name := range f.DbgUpvalues { // at most 255
		w.characters(name)
	}
	w.open.push(part{object: f})
}

// list is a stack in pieces, so that it grows without a copy.
type list struct {
	pieces [][]part
	spare  []part
}

const pieceSize = 256

func (l *list) empty() bool { return len(l.pieces) == 0 }

func (l *list) push(p part) {
	n := len(l.pieces)
	if n == 0 || len(l.pieces[n-1]) == pieceSize {
		piece := l.spare
		if l.spare = nil; piece == nil {
			piece = make([]part, 0, pieceSize)
		}
		l.pieces = append(l.pieces, piece)
		n++
	}
	l.pieces[n-1] = append(l.pieces[n-1], p)
}

// top is the last; the pointer is good until pop.
func (l *list) top() *part {
	piece := l.pieces[len(l.pieces)-1]
	return &piece[len(piece)-1]
}

func (l *list) pop() {
	n := len(l.pieces) - 1
	piece := l.pieces[n]
	piece[len(piece)-1] = part{}
	if piece = piece[:len(piece)-1]; len(piece) > 0 {
		l.pieces[n] = piece
		return
	}
	l.pieces, l.spare = l.pieces[:n], piece
}
