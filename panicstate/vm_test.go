package panicstate

import "fmt"

// vm is a small host: it runs a program on a State the way doc.go says.
type vm struct {
	s  State
	tr trace
}

// Where control goes after a piece of code: on (to the next statement), to the
// return of the frame of that number, or out of the fiber.
const (
	on  = -1
	out = -2
)

// run executes the program as frame 0 and says how the fiber ended.
func (m *vm) run(body []stmt) {
	if m.call(body, 0) == on {
		m.tr.add("returned")
		return
	}
	if p, _ := m.s.Active(); p.Kind == Recoverable {
		m.tr.add("ended with %v", p.Value)
	} else {
		m.tr.add("exited")
	}
}

// call executes a function body and its deferred calls.
func (m *vm) call(body []stmt, frame int) int {
	to := on
	for i := 0; i < len(body) && to == on; i++ {
		to = m.step(body[i], frame)
	}
	for to == on || to == frame {
		d, ok := m.s.Return(frame)
		m.check()
		if !ok {
			return on
		}
		if to = m.call(d.Call.([]stmt), d.Frame+1); to == on {
			m.expect(Returning, frame)
		}
	}
	return to
}

func (m *vm) step(s stmt, frame int) int {
	defer m.check()
	switch s.op {
	case "mark":
		m.tr.add("mark %d", s.n)
	case "call":
		return m.call(s.body, frame+1)
	case "defer":
		m.s.Defer(frame, s.body)
	case "panic":
		m.s.Begin(Recoverable, s.n, "")
		return m.unwind()
	case "recover":
		v, _ := m.s.Recover(frame)
		m.tr.add("recover %v", v)
	case "exit":
		m.s.Begin(Exit, nil, "")
		return m.unwind()
	}
	return on
}

// unwind runs deferred calls until one recovers, one panics (its own unwind then has
// decided where control goes), or none is left.
func (m *vm) unwind() int {
	for {
		d, ok := m.s.NextDefer()
		m.check()
		if !ok {
			return out
		}
		if to := m.call(d.Call.([]stmt), d.Frame+1); to != on {
			return to
		}
		if step, frame := m.s.EndDefer(); step == Recovered {
			return frame
		}
		m.check()
	}
}

func (m *vm) expect(step Step, frame int) {
	if got, f := m.s.EndDefer(); got != step || f != frame {
		panic(fmt.Sprintf("EndDefer = %v of frame %d, want %v of %d", got, f, step, frame))
	}
}

func (m *vm) check() {
	if err := check(&m.s); err != nil {
		panic(err)
	}
}
