package panicstate

import (
	"fmt"
	"runtime"
	"strings"

	"pgregory.net/rapid"
)

// stmt is one statement of a random guest program; a program is a function body.
type stmt struct {
	op   string // mark, call, defer, panic, recover, exit
	n    int
	body []stmt
}

// program draws a body. Calls and deferred calls nest up to depth.
func program(t *rapid.T, depth int) []stmt {
	ops := []string{"mark", "recover", "recover", "panic", "exit"}
	if depth > 0 {
		ops = append(ops, "call", "call", "defer", "defer", "defer", "defer")
	}
	body := make([]stmt, rapid.IntRange(0, 5).Draw(t, "length"))
	for i := range body {
		s := stmt{op: rapid.SampledFrom(ops).Draw(t, "op"), n: rapid.IntRange(0, 99).Draw(t, "n")}
		if s.op == "exit" && s.n > 30 {
			s.op = "panic"
		}
		if s.op == "call" || s.op == "defer" {
			s.body = program(t, depth-1)
		}
		body[i] = s
	}
	return body
}

func show(body []stmt) string {
	var b strings.Builder
	for _, s := range body {
		switch s.op {
		case "call", "defer":
			fmt.Fprintf(&b, "%s{%s} ", s.op, show(s.body))
		case "panic", "mark":
			fmt.Fprintf(&b, "%s(%d) ", s.op, s.n)
		default:
			fmt.Fprintf(&b, "%s ", s.op)
		}
	}
	return b.String()
}

// trace is what a run can be told apart by: marks, what each recover gave, the end.
type trace []string

func (tr *trace) add(format string, args ...any) { *tr = append(*tr, fmt.Sprintf(format, args...)) }

// runGo runs a program with Go's own defer, panic, recover and Goexit.
func runGo(body []stmt) trace {
	var tr trace
	done := make(chan struct{})
	go func() {
		returned := false
		defer close(done)
		defer func() {
			switch v := recover(); {
			case v != nil:
				tr.add("ended with %v", v)
			case returned:
				tr.add("returned")
			default:
				tr.add("exited")
			}
		}()
		tr.exec(body)
		returned = true
	}()
	<-done
	return tr
}

// exec is the function a guest function is in Go: recover stands in it directly.
func (tr *trace) exec(body []stmt) {
	for _, s := range body {
		switch s.op {
		case "mark":
			tr.add("mark %d", s.n)
		case "call":
			tr.exec(s.body)
		case "defer":
			defer tr.exec(s.body)
		case "panic":
			panic(s.n)
		case "recover":
			tr.add("recover %v", recover())
		case "exit":
			runtime.Goexit()
		}
	}
}
