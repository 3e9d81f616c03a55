package fibers

import (
	"errors"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/wait"
)

// GuestError is an error that a Lua program raised and did not catch.
type GuestError struct {
	// Value is the Lua error value as it was raised; nil for a syntax error.
	Value glua.LValue
	// Message is the value as text, with file and line where Lua gives them; for an object
	// what its __tostring returned.
	Message string
	// Traceback is the traceback of Lua; "" for a syntax error.
	Traceback string

	cause error // the Go error that was raised, or nil
	of    *env  // whose Lua functions may catch Value again; nil if none may
}

// Error is the message.
func (e *GuestError) Error() string { return e.Message }

// Unwrap is the Go error that a Go function raised: as the Value of an *LUserData, which Lua code can
// catch and raise again, or by a panic that no Lua code has caught. Otherwise it is nil.
func (e *GuestError) Unwrap() error { return e.cause }

func guestError(err error) error {
	var api *glua.ApiError
	if !errors.As(err, &api) {
		return err
	}
	message, ok := lua.Message(api)
	if !ok {
		message = text(api.Object)
	}
	cause := goError(api.Object)
	if cause == nil && api.Type == glua.ApiErrorPanic {
		cause = api.Cause
	}
	return &GuestError{Value: api.Object, Message: message, Traceback: api.StackTrace, cause: cause}
}

// goError is the Go error in a Lua error value, or nil.
func goError(v glua.LValue) error {
	if ud, ok := v.(*glua.LUserData); ok {
		err, _ := ud.Value.(error)
		return err
	}
	return nil
}

// placed adds the position of the spawn to an error of a Go function that is a fiber's whole
// program, as in fiber.spawn(ch.recv, ch). gopher-lua finds no Lua caller there: it leaves the
// position empty and calls the fiber a coroutine.
func placed(err error, site string) error {
	g, ok := err.(*GuestError)
	if !ok {
		return err
	}
	if s, ok := g.Value.(glua.LString); ok && strings.HasPrefix(string(s), " ") {
		g.Message = site + ":" + strings.Replace(string(s), " to corountine ", " to a spawned function ", 1)
		g.Value = glua.LString(g.Message)
	}
	return g
}

// plain is the text of an error without the name of the Go package that made it.
func plain(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "wait: "), "scheduler: ")
}

// text is the text of a Lua error value whose __tostring, if it has one, was not called.
func text(v glua.LValue) string {
	if glua.LVCanConvToString(v) {
		return v.String()
	}
	if err := goError(v); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("(error object is a %s value)", v.Type())
}

// errorValue is the Lua value that join returns for the error of a fiber.
func errorValue(err error) glua.LValue {
	if g, ok := errors.AsType[*GuestError](err); ok && g.Value != nil {
		return g.Value
	}
	return glua.LString(plain(err))
}

// check raises the error of an operation at the position of the call.
func (e *env) check(L *glua.LState, err error) {
	if err != nil {
		raise(L, err)
	}
}

func raise(L *glua.LState, err error) {
	if refused, ok := errors.AsType[*wait.Error](err); ok {
		L.RaiseError("%s: %s: %v", refused.Op, refused.Object, refused.Err)
	}
	L.RaiseError("%s", plain(err))
}

// errorValues are the Lua values in the error of a fiber.
func errorValues(err error) []glua.LValue {
	var failed *GuestError
	if !errors.As(err, &failed) {
		return nil
	}
	return []glua.LValue{failed.Value, glua.LString(failed.Message), glua.LString(failed.Traceback)}
}
