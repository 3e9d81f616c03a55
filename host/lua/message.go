package lua

import (
	"runtime"

	glua "github.com/yuin/gopher-lua"
)

// Message is the text of an error of Thread.Run, for the host: what the __tostring of the error
// value has returned, the Go error of a Go function that failed, or the value itself. ok is false
// for a value that has no text.
func Message(err *glua.ApiError) (text string, ok bool) {
	switch cause := err.Cause.(type) {
	case *shownError:
		return cause.text, true
	case runtime.Error:
		return err.Object.String() + ": " + cause.Error(), true
	}
	return glua.LVAsString(err.Object), glua.LVCanConvToString(err.Object)
}

// shownError is the Cause of an ApiError whose value is a table that has a __tostring.
type shownError struct{ text string }

func (e *shownError) Error() string { return e.text }

// show calls the __tostring of a table that was raised, while its fiber still runs. It may do what any Lua
// function may do; if it fails, the value has no text.
func (t *Thread) show(L *glua.LState, err error) {
	e, ok := err.(*glua.ApiError)
	if !ok || e.Cause != nil || e.Object.Type() != glua.LTTable {
		return
	}
	fn, ok := L.GetMetaField(e.Object, "__tostring").(*glua.LFunction)
	if !ok {
		return
	}
	if t.call(L, fn, e.Object) != nil {
		return
	}
	if text := L.Get(-1); glua.LVCanConvToString(text) {
		e.Cause = &shownError{text.String()}
	}
}
