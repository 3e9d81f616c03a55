package fibers

import (
	"errors"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// GuestError is an error of the Lua program that it did not catch.
type GuestError struct {
	// Value is the Lua error value as it was raised; nil for a syntax error.
	Value glua.LValue
	// Message is the value as text, with file and line where Lua gives them.
	Message string
	// Traceback is Lua's own, "" for a syntax error.
	Traceback string
}

// Error is the message.
func (e *GuestError) Error() string { return e.Message }

func guestError(err error) error {
	var api *glua.ApiError
	if !errors.As(err, &api) {
		return err
	}
	return &GuestError{Value: api.Object, Message: text(api.Object), Traceback: api.StackTrace}
}

// placed gives the error of a Go function that is a fiber's whole program, as in
// fiber.spawn(ch.recv, ch), the position of the spawn: gopher-lua, which looks for a Lua
// caller, leaves it empty, and takes the fiber for a coroutine.
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

// plain is an error's text without the name of the Go package that made it.
func plain(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "wait: "), "scheduler: ")
}

// text is a Lua error value for people. A table is only said to be one: its __tostring
// could do anything, and its fiber has ended.
func text(v glua.LValue) string {
	switch v.Type() {
	case glua.LTString, glua.LTNumber:
		return v.String()
	}
	return fmt.Sprintf("(error object is a %s value)", v.Type())
}

// errorValue is what join gives a Lua program for a fiber's error.
func errorValue(err error) glua.LValue {
	var g *GuestError
	if errors.As(err, &g) && g.Value != nil {
		return g.Value
	}
	return glua.LString(plain(err))
}
