package bind

import (
	"fmt"
	"reflect"
)

// TypeError is a Go function or type that cannot be bound.
type TypeError struct {
	Function string       // the Go function, "" if it is about a result of a call
	Place    string       // "parameter 2", "result 1: field Done", "" for the function itself
	Type     reflect.Type // what cannot be bound; nil for a nil function
	Reason   string       // why, and what can be used instead
}

// Error names the function, the place and the fix.
func (e *TypeError) Error() string {
	text := "bind: "
	for _, part := range []string{e.Function, e.Place} {
		if part != "" {
			text += part + ": "
		}
	}
	return text + e.Reason
}

// ValueError is a value that cannot pass between Go and a guest.
type ValueError struct {
	Place  string // where it is: "function", "argument 2", `result 1["list"][3]`
	Reason string // what is wanted and what it is, or what can be passed instead
}

// Error is place and reason.
func (e *ValueError) Error() string { return "bind: " + e.Text() }

// Text is the error for the guest, without the name of the Go package.
func (e *ValueError) Text() string { return e.Place + ": " + e.Reason }

// in adds the place of the surrounding value.
func (e *ValueError) in(place string) *ValueError {
	e.Place = place + e.Place
	return e
}

func refused(format string, args ...any) *ValueError {
	return &ValueError{Reason: fmt.Sprintf(format, args...)}
}

// PanicError is a panic of a bound Go function. The guest sees only the name of the function.
type PanicError struct {
	Function string // the name that the guest called
	Value    any
	Stack    []byte // the Go stack at the panic
}

// Error has the value. It does not have Stack, which differs between runs.
func (e *PanicError) Error() string { return fmt.Sprintf("%s panicked: %v", e.Function, e.Value) }

// Unwrap is the panic value, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
