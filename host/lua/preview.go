package lua

import (
	"fmt"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/frame"
)

// Describer is the Go value of a userdata that has a text for the stack of a fiber. Describe calls no Lua code, and
// is short work.
type Describer interface{ Describe() string }

// The part of a table that a preview shows.
const (
	previewDepth   = 2  // tables in a table
	previewEntries = 16 // of a table
	previewPlaces  = 64 // which are looked at for them
)

// preview writes a value as short text, which calls no Lua code, charges nothing, and does not depend on
// addresses. What it looks at is bounded, whatever the value is.
type preview struct {
	state *State
	text  strings.Builder
}

// preview is the text of a value for a frame.Variable.
func (s *State) preview(values ...glua.LValue) string {
	p := preview{state: s}
	for i, v := range values {
		if i > 0 {
			p.text.WriteString(", ")
		}
		if p.full() {
			break
		}
		if text, ok := v.(glua.LString); ok && len(values) == 1 {
			return frame.Quote(string(text))
		}
		p.value(v, 0)
	}
	return frame.Clip(p.text.String())
}

func (p *preview) full() bool { return p.text.Len() > frame.MaxText*4 }

// value writes a value that is inside as many tables.
func (p *preview) value(v glua.LValue, inside int) {
	switch v := v.(type) {
	case nil:
		p.text.WriteString("nil")
	case glua.LString:
		p.text.WriteString(frame.Quote(string(v)))
	case *glua.LTable:
		p.table(v, inside)
	case *glua.LFunction:
		p.text.WriteString("function " + definition(v))
	case *glua.LUserData:
		p.text.WriteString(described(v))
	case *glua.LState:
		p.text.WriteString(p.state.thread(v))
	case glua.LBool, glua.LNumber, *glua.LNilType:
		p.text.WriteString(v.String())
	default:
		p.text.WriteString(v.Type().String())
	}
}

func (p *preview) table(t *glua.LTable, inside int) {
	p.text.WriteByte('{')
	next := 1 // the index of an element without a key
	separator, shown := "", 0
	all := p.state.meter.Peek(t, previewPlaces, func(key, v glua.LValue) bool {
		if inside == previewDepth || shown == previewEntries || p.full() {
			return false
		}
		p.text.WriteString(separator)
		if separator = ", "; key == glua.LNumber(next) {
			next++
		} else {
			p.key(key)
		}
		p.value(v, inside+1)
		shown++
		return true
	})
	if !all {
		p.text.WriteString(separator + "…")
	}
	p.text.WriteByte('}')
}

func (p *preview) key(key glua.LValue) {
	if text, ok := key.(glua.LString); ok && isName(string(text)) {
		p.text.WriteString(string(text) + " = ")
		return
	}
	p.text.WriteByte('[')
	p.value(key, previewDepth)
	p.text.WriteString("] = ")
}

// isName reports whether a text can be a key without brackets. Reserved words are not told apart.
func isName(text string) bool {
	if text == "" || len(text) > frame.MaxText {
		return false
	}
	for i, c := range text {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// described is what a Go value says of itself. A metatable may be the program's own.
func described(u *glua.LUserData) string {
	if d, ok := u.Value.(Describer); ok {
		return d.Describe()
	}
	return "userdata"
}

// thread is the text of a coroutine.
func (s *State) thread(handle *glua.LState) string {
	r := routineOf(handle)
	if r == nil {
		return "thread"
	}
	return fmt.Sprintf("thread (%s)", s.statusOf(r))
}

// definition is the place of a function, as tracebacks have it.
func definition(fn *glua.LFunction) string {
	if fn.IsG {
		return "(anonymous)"
	}
	return fmt.Sprintf("<%s:%d>", fileOf(fn.Proto), fn.Proto.LineDefined)
}

// longestFile is the longest name of a file that is shown whole.
const longestFile = 4096

// fileOf is the name of the chunk of a function. A program may give a chunk any text as its name.
func fileOf(p *glua.FunctionProto) string {
	if len(p.SourceName) <= longestFile && utf8.ValidString(p.SourceName) {
		return p.SourceName
	}
	return frame.Clip(p.SourceName)
}
