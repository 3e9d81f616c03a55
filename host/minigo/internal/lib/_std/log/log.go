// Package log is what minigo has of Go's; it knows no file and line.
package log

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	Ldate = 1 << iota
	Ltime
	Lmicroseconds
	Llongfile
	Lshortfile
	LUTC
	Lmsgprefix
	LstdFlags = Ldate | Ltime
)

type Logger struct {
	mu     sync.Mutex
	out    io.Writer
	prefix string
	flags  int
}

func New(out io.Writer, prefix string, flag int) *Logger {
	return &Logger{out: out, prefix: prefix, flags: flag}
}

var std = New(os.Stderr, "", LstdFlags)

func Default() *Logger { return std }

func (l *Logger) header() (h string) {
	if l.flags&Lmsgprefix == 0 {
		h = l.prefix
	}
	now := time.Now()
	if l.flags&Ldate != 0 {
		h += now.Format("2006/01/02 ")
	}
	switch {
	case l.flags&Lmicroseconds != 0:
		h += now.Format("15:04:05.000000 ")
	case l.flags&Ltime != 0:
		h += now.Format("15:04:05 ")
	}
	if l.flags&(Lshortfile|Llongfile) != 0 {
		h += "???:0: "
	}
	if l.flags&Lmsgprefix != 0 {
		h += l.prefix
	}
	return h
}

func (l *Logger) Output(calldepth int, s string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(s) == 0 || s[len(s)-1] != '\n' {
		s += "\n"
	}
	_, err := io.WriteString(l.out, l.header()+s)
	return err
}

func (l *Logger) Print(v ...any)                 { l.Output(2, fmt.Sprint(v...)) }
func (l *Logger) Printf(format string, v ...any) { l.Output(2, fmt.Sprintf(format, v...)) }
func (l *Logger) Println(v ...any)               { l.Output(2, fmt.Sprintln(v...)) }

func (l *Logger) Fatal(v ...any) {
	l.Print(v...)
	os.Exit(1)
}

func (l *Logger) Fatalf(format string, v ...any) {
	l.Printf(format, v...)
	os.Exit(1)
}

func (l *Logger) Fatalln(v ...any) {
	l.Println(v...)
	os.Exit(1)
}

func (l *Logger) panics(s string) {
	l.Output(2, s)
	panic(s)
}

func (l *Logger) Panic(v ...any)                 { l.panics(fmt.Sprint(v...)) }
func (l *Logger) Panicf(format string, v ...any) { l.panics(fmt.Sprintf(format, v...)) }
func (l *Logger) Panicln(v ...any)               { l.panics(fmt.Sprintln(v...)) }

func (l *Logger) Flags() int              { return l.flags }
func (l *Logger) SetFlags(flag int)       { l.flags = flag }
func (l *Logger) Prefix() string          { return l.prefix }
func (l *Logger) SetPrefix(prefix string) { l.prefix = prefix }
func (l *Logger) Writer() io.Writer       { return l.out }
func (l *Logger) SetOutput(w io.Writer)   { l.out = w }

func Output(calldepth int, s string) error { return std.Output(calldepth+1, s) }
func Print(v ...any)                       { std.Print(v...) }
func Printf(format string, v ...any)       { std.Printf(format, v...) }
func Println(v ...any)                     { std.Println(v...) }
func Fatal(v ...any)                       { std.Fatal(v...) }
func Fatalf(format string, v ...any)       { std.Fatalf(format, v...) }
func Fatalln(v ...any)                     { std.Fatalln(v...) }
func Panic(v ...any)                       { std.Panic(v...) }
func Panicf(format string, v ...any)       { std.Panicf(format, v...) }
func Panicln(v ...any)                     { std.Panicln(v...) }
func Flags() int                           { return std.Flags() }
func SetFlags(flag int)                    { std.SetFlags(flag) }
func Prefix() string                       { return std.Prefix() }
func SetPrefix(prefix string)              { std.SetPrefix(prefix) }
func Writer() io.Writer                    { return std.Writer() }
func SetOutput(w io.Writer)                { std.SetOutput(w) }
