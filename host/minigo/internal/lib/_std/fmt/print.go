// Package fmt is what minigo has of Go's.
package fmt

import (
	"errors"
	"io"
)

type Stringer interface{ String() string }
type GoStringer interface{ GoString() string }

// What format renders for.
const (
	forPrint = iota
	forPrintln
	forPrintf
	forErrorf
)

// format renders the arguments. Where it needs what a method of a value says, it asks: the text
// is complete once said has an answer to each question, in order. A first byte reports whether the
// method returned, =, panicked, !, or panicked at a nil pointer, 0.
func format(what int, f string, a []any, said []string) (text string, ask []any, which []int, wrapped []int)

// The methods that are asked; atNil is added for a nil pointer.
const (
	errorMethod = iota
	stringMethod
	goStringMethod
	atNil
)

func render(what int, f string, a []any) string {
	text, _ := complete(what, f, a, false)
	return text
}

// complete is a text whose questions are answered. In that of a panic, further ones go on.
func complete(what int, f string, a []any, panicking bool) (text string, wrapped []int) {
	text, ask, which, wrapped := format(what, f, a, nil)
	if len(ask) == 0 {
		return text, wrapped
	}
	said := make([]string, len(ask))
	for i, v := range ask {
		said[i] = say(v, which[i], panicking)
	}
	text, _, _, wrapped = format(what, f, a, said)
	return text, wrapped
}

func say(v any, which int, panicking bool) (answer string) {
	method := which % atNil
	defer func() {
		r := recover()
		switch {
		case r == nil:
		case which >= atNil:
			answer = "0"
		case panicking:
			panic(r)
		default:
			text, _ := complete(forPrint, "", []any{r}, true)
			answer = "!" + [...]string{"Error", "String", "GoString"}[method] + " method: " + text
		}
	}()
	switch method {
	case errorMethod:
		return "=" + v.(error).Error()
	case stringMethod:
		return "=" + v.(Stringer).String()
	}
	return "=" + v.(GoStringer).GoString()
}

func write(text string)

func Sprint(a ...any) string                 { return render(forPrint, "", a) }
func Sprintln(a ...any) string               { return render(forPrintln, "", a) }
func Sprintf(format string, a ...any) string { return render(forPrintf, format, a) }

func Print(a ...any) (n int, err error)   { return show(Sprint(a...)) }
func Println(a ...any) (n int, err error) { return show(Sprintln(a...)) }
func Printf(format string, a ...any) (n int, err error) {
	return show(Sprintf(format, a...))
}

func show(text string) (int, error) {
	write(text)
	return len(text), nil
}

func Fprint(w io.Writer, a ...any) (n int, err error)   { return io.WriteString(w, Sprint(a...)) }
func Fprintln(w io.Writer, a ...any) (n int, err error) { return io.WriteString(w, Sprintln(a...)) }
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	return io.WriteString(w, Sprintf(format, a...))
}

func Append(b []byte, a ...any) []byte { return append(b, Sprint(a...)...) }
func Appendf(b []byte, format string, a ...any) []byte {
	return append(b, Sprintf(format, a...)...)
}

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }
func (e *wrapError) Unwrap() error { return e.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (e *wrapErrors) Error() string   { return e.msg }
func (e *wrapErrors) Unwrap() []error { return e.errs }

func Errorf(format string, a ...any) error {
	text, wrapped := complete(forErrorf, format, a, false)
	switch len(wrapped) {
	case 0:
		return errors.New(text)
	case 1:
		err, _ := a[wrapped[0]].(error)
		return &wrapError{text, err}
	}
	var errs []error
	for i, at := range wrapped {
		if i > 0 && wrapped[i-1] == at {
			continue
		}
		if err, ok := a[at].(error); ok {
			errs = append(errs, err)
		}
	}
	return &wrapErrors{text, errs}
}
