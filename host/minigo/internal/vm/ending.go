package vm

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/scheduler"
)

// Exit is the end of a program by os.Exit.
type Exit struct{ Status int }

// Error is the status.
func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// Panicked is the end of a program by a panic that was not recovered.
type Panicked struct {
	Message string
	wraps   []error
}

// Error is the message as Go prints it, with the traceback.
func (p *Panicked) Error() string { return p.Message }

// Unwrap are the errors of the host in the value of the panic.
func (p *Panicked) Unwrap() []error { return p.wraps }

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
	return &Panicked{b.String(), p.wraps}
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
	fmt.Fprintf(b, "panic: %s", p.text)
	switch {
	case p.recovered && again:
		b.WriteString(" [recovered, repanicked]")
	case p.recovered:
		b.WriteString(" [recovered]")
	}
	b.WriteByte('\n')
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
		"sync.(*Mutex).wait":     "sync.Mutex.Lock",
		"sync.(*RWMutex).wait":   "sync.RWMutex.Lock",
		"sync.(*WaitGroup).Wait": "sync.WaitGroup.Wait",
		"sync.(*Cond).Wait":      "sync.Cond.Wait",
	}
}
