package vm

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/scheduler"
)

// Exit is the end of a program by os.Exit.
type Exit struct{ Status int }

// Error is the status.
func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// Panicked is the end of a program by a panic that was not recovered.
type Panicked struct{ Message string }

// Error is the message as Go prints it, with the traceback.
func (p *Panicked) Error() string { return p.Message }

// Fatal is the end of a program by an error that cannot be recovered.
type Fatal struct {
	Text      string
	goroutine int
	trace     []place
}

// Error is the message as Go prints it, with the traceback.
func (f *Fatal) Error() string {
	var b bytes.Buffer
	if f.Text == stackOverflow {
		b.WriteString("runtime: goroutine stack exceeds its limit\n")
	}
	fmt.Fprintf(&b, "fatal error: %s\n\ngoroutine %d [running]:\n", f.Text, f.goroutine)
	writeTrace(&b, f.trace)
	return b.String()
}

// Deadlock is the end of a program whose goroutines are all blocked forever.
type Deadlock struct {
	Message string
	Err     *scheduler.DeadlockError
}

// Error is the message as Go prints it, with the tracebacks.
func (d *Deadlock) Error() string { return d.Message }

// Unwrap is the scheduler's report.
func (d *Deadlock) Unwrap() error { return d.Err }

// panicked returns the message of a panic that ends the program.
func (m *Machine) panicked(st *State) error {
	var b bytes.Buffer
	p := st.extra().panics
	m.writePanics(&b, p, false)
	fmt.Fprintf(&b, "\ngoroutine %d [running]:\n", m.goroutine())
	writeTrace(&b, p.trace)
	return &Panicked{b.String()}
}

// writePanics writes the chain of panics, the first one first. A panic that repeats the recovered
// value is written once.
func (m *Machine) writePanics(b *bytes.Buffer, p *guestPanic, again bool) {
	if p.before != nil {
		same := p.before.v == p.v
		m.writePanics(b, p.before, same)
		if same {
			return
		}
		b.WriteByte('\t')
	}
	fmt.Fprintf(b, "panic: %s", m.panicText(p.v))
	switch {
	case p.recovered && again:
		b.WriteString(" [recovered, repanicked]")
	case p.recovered:
		b.WriteString(" [recovered]")
	}
	b.WriteByte('\n')
}

// panicText is the value of a panic as Go prints it.
func (m *Machine) panicText(v value.Interface) string {
	n, r := v.Parts(v.T)
	for _, number := range []int32{m.prog.ErrorMethod, m.prog.StringMethod} {
		if fn := v.T.Method(number); fn != nil {
			if text, ok := m.try(fn, v); ok {
				return indented(text)
			}
		}
	}
	named := v.T.Local != "" && v.T.Pkg != ""
	switch k := v.T.Kind; {
	case k == code.String && named:
		return fmt.Sprintf("%s(%s)", v.T.Name, strconv.Quote(value.Str(r[0])))
	case k == code.String:
		return indented(value.Str(r[0]))
	case k.Integer() || k.Float() || k == code.Bool:
		text := m.printed(v.T, n, r)
		if named {
			return fmt.Sprintf("%s(%s)", v.T.Name, text)
		}
		return text
	}
	return fmt.Sprintf("(%s) %s", v.T.Name, address(r))
}

// indented indents the continuation lines of a text, so that none looks like a line of the
// report.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n\t") }

// tryBudget limits how long a method may take to format a panic value: meanwhile the run cannot
// be cancelled.
const tryBudget = 1 << 22

// try calls a method without arguments that returns a string, outside of any fiber; it
// may not wait, defer or panic.
func (m *Machine) try(fn *code.Func, v value.Interface) (text string, ok bool) {
	m.trial = true
	defer func() { m.trial = false }()
	var st State
	st.begin(fn)
	setReceiver(&st, fn, v)
	m.budget, m.rest = tryBudget, 0
	m.interpret(&st)
	if m.out != fiber.Done {
		return "", false
	}
	return value.Str(st.ref[0]), true
}

// spoil aborts what try runs.
func (m *Machine) spoil() step {
	m.out = fiber.Panic
	return leaveSlice
}

// explain converts the scheduler's error into that of the program.
func (m *Machine) explain(err error) error {
	var dead *scheduler.DeadlockError
	if !errors.As(err, &dead) {
		return err
	}
	var b bytes.Buffer
	if m.goexit {
		b.WriteString("fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n")
	} else {
		b.WriteString("fatal error: all goroutines are asleep - deadlock!\n")
	}
	for _, f := range dead.Report.Fibers {
		id, ok := f.ID.Regular()
		if !ok || m.goexit && id == m.main {
			continue
		}
		slot, _ := m.sched.Fiber(id)
		fmt.Fprintf(&b, "\ngoroutine %d [%s]:\n", id.Index()+1, m.waitsFor(&slot.Data))
		writeTrace(&b, m.trace(&slot.Data))
	}
	return &Deadlock{b.String(), dead}
}

// waitsFor describes what a blocked fiber waits for, in Go's words.
func (m *Machine) waitsFor(st *State) string {
	fr := st.top()
	if text, ok := waitsIn()[fr.fn.Name]; ok {
		return text
	}
	in := &fr.fn.Code[fr.pc-1]
	switch in.Op {
	case code.Send:
		if st.ref[int(fr.rb)+int(fr.fn.Aux[in.D].I[0])] == nil {
			return "chan send (nil chan)"
		}
		return "chan send"
	case code.Recv:
		if st.ref[int(fr.rb)+int(fr.fn.Aux[in.D].I[3])] == nil {
			return "chan receive (nil chan)"
		}
		return "chan receive"
	case code.Select:
		if len(fr.fn.Aux[in.D].List) == 0 {
			return "select (no cases)"
		}
		return "select"
	}
	return "sleep"
}

// waitsIn describes the wait of a fiber in a library function that is built on channels.
func waitsIn() map[string]string {
	return map[string]string{
		"sync.(*Mutex).Lock":     "sync.Mutex.Lock",
		"sync.(*RWMutex).wait":   "sync.RWMutex.Lock",
		"sync.(*WaitGroup).Wait": "sync.WaitGroup.Wait",
		"sync.(*Cond).Wait":      "sync.Cond.Wait",
	}
}
