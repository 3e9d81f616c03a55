// Package fmt is what minigo has of Go's.
package fmt

import "io"

type Stringer interface{ String() string }

// format renders the arguments. Where it needs what a method Error or String of a value
// says, it asks: the text is complete once said has an answer to each question, in order.
func format(line bool, formatted bool, f string, a []any, said []string) (text string, ask []any)

func render(line bool, formatted bool, f string, a []any) string {
	text, ask := format(line, formatted, f, a, nil)
	if len(ask) == 0 {
		return text
	}
	said := make([]string, len(ask))
	for i, v := range ask {
		said[i] = say(v)
	}
	text, _ = format(line, formatted, f, a, said)
	return text
}

func say(v any) string {
	switch x := v.(type) {
	case error:
		return x.Error()
	case Stringer:
		return x.String()
	}
	return ""
}

func write(text string)

func Sprint(a ...any) string                 { return render(false, false, "", a) }
func Sprintln(a ...any) string               { return render(true, false, "", a) }
func Sprintf(format string, a ...any) string { return render(false, true, format, a) }

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

type GoStringer interface{ GoString() string }

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }
func (e *wrapError) Unwrap() error { return e.err }

type plainError struct{ s string }

func (e *plainError) Error() string { return e.s }

func Errorf(format string, a ...any) error {
	text := Sprintf(format, a...)
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		if format[i] == 'w' {
			for _, x := range a {
				if err, ok := x.(error); ok {
					return &wrapError{text, err}
				}
			}
		}
	}
	return &plainError{text}
}
