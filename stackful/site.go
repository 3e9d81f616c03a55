package stackful

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// site is the line that a fiber has reached in its Go code, for reports; empty if it is not known.
func (rt *Runtime) site(id fiber.RegularID) (where string) {
	slot, alive := rt.sched.Fiber(id)
	if !alive || slot.Data == nil {
		return ""
	}
	switch f := slot.Data; {
	case rt.sched.Current() == id.ID():
		return here()
	case !f.started:
		return beginning(f.fn)
	case rt.mayAsk():
		f.stack.Ask(func() { where = here() })
	}
	return where
}

// at adds the line of the call to the error of a refused call.
func (f *Fiber) at(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := err.(*wait.Error); ok && refused.Site == "" {
		refused.Site = f.rt.where(f.id)
	}
	return err
}

// mayAsk tells whether the stack of another fiber may be entered from here.
func (rt *Runtime) mayAsk() bool {
	id, _ := rt.sched.Current().Regular()
	slot, runs := rt.sched.Fiber(id)
	return !runs || slot.Data == nil || slot.Data.suspendable() == nil
}

// here is the line of the innermost call that is not the library's own.
func here() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for {
		frame, more := frames.Next()
		switch {
		case !ours(frame):
			return line(frame.File, frame.Line)
		case !more:
			return ""
		}
	}
}

// beginning is the line where a function begins.
func beginning(fn Func) string {
	pc := reflect.ValueOf(fn).Pointer()
	return line(runtime.FuncForPC(pc).FileLine(pc))
}

// line is a position as programmers call it, the same wherever the program was built.
func line(file string, n int) string {
	dir, base := path.Split(file)
	return fmt.Sprintf("%s:%d", path.Join(path.Base(dir), base), n)
}

// ours tells whether a frame is the library's, or lies below all that the fiber calls.
func ours(frame runtime.Frame) bool {
	for _, from := range [...]string{"runtime.", "iter.", "github.com/selvage-dev/selvage/"} {
		if strings.HasPrefix(frame.Function, from) {
			return !strings.HasSuffix(frame.File, "_test.go")
		}
	}
	return false
}
