package vm

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// place is one line of a traceback.
type place struct {
	fn   *code.Func
	line int32
}

// maxTrace is how many frames of each end a traceback shows.
const maxTrace = 50

// trace is where a fiber stands, the innermost call first.
func (m *Machine) trace(st *State) (trace []place) {
	for i := len(st.frames) - 1; i >= 0; i-- {
		if len(trace) == maxTrace && i >= maxTrace {
			i = maxTrace - 1
			trace = append(trace, place{})
		}
		f := &st.frames[i]
		if !f.fn.Wrapper {
			trace = append(trace, place{f.fn, f.fn.Position(int(f.pc) - 1)})
		}
	}
	return trace
}

func writeTrace(w io.Writer, trace []place) {
	for _, p := range trace {
		if p.fn == nil {
			fmt.Fprintln(w, "...additional frames elided...")
			continue
		}
		if p.fn.Name == "main.init.0" && len(trace) > 1 {
			continue // it stands for the runtime, which calls main
		}
		fmt.Fprintf(w, "%s(...)\n\t%s:%d\n", p.fn.Name, p.fn.File, p.line)
	}
}

// site is where a panic started, in one line.
func (p *guestPanic) site() string {
	if len(p.trace) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.trace[0].fn.File, p.trace[0].line)
}

// site returns where a fiber stands, for reports.
func (m *Machine) site(id fiber.RegularID) string {
	f, ok := m.sched.Fiber(id)
	if !ok || len(f.Data.frames) == 0 {
		return ""
	}
	t := m.trace(&f.Data)
	if len(t) == 0 {
		return ""
	}
	return fmt.Sprintf("%s at %s:%d", t[0].fn.Name, t[0].fn.File, t[0].line)
}

// goroutine is the number that Go would show for the running fiber.
func (m *Machine) goroutine() int {
	id, ok := m.sched.Current().Regular()
	if !ok {
		return 0
	}
	return int(id.Index()) + 1
}

// print is the builtin print, to stderr.
func (m *Machine) print(x *code.Aux, n []uint64, r []any) {
	var b strings.Builder
	for i, s := range x.List {
		if i > 0 && x.I[0] != 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.printed(s.T, n[s.N:], r[s.R:]))
	}
	if x.I[0] != 0 {
		b.WriteByte('\n')
	}
	m.charge(b.Len())
	m.host.Output(m.cfg.Stderr, b.String())
}

// printed formats a value as Go's print does.
func (m *Machine) printed(t *code.Type, n []uint64, r []any) string {
	switch k := t.Kind; {
	case k == code.Bool:
		return fmt.Sprint(n[0] != 0)
	case k.Signed():
		return fmt.Sprint(int64(n[0]))
	case k.Integer():
		return fmt.Sprint(n[0])
	case k.Float():
		bits := 64
		if k == code.Float32 {
			bits = 32
		}
		return strconv.FormatFloat(math.Float64frombits(n[0]), 'g', -1, bits)
	case k == code.String:
		return value.Str(r[0])
	case k == code.Interface:
		return fmt.Sprintf("(%#x,%#x)", n[0], n[1])
	case k == code.Slice:
		return fmt.Sprintf("[%d/%d]%s", n[1], n[2], address(r[0]))
	}
	return address(r[0])
}

func address(r any) string {
	if r == nil {
		return "0x0"
	}
	return "0xc000010000"
}
