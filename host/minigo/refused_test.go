package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

func TestWhatIsOutsideTheSubsetIsRefusedWithItsPlaceAndName(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"package main\n\nfunc f[T any](x T) {}\n\nfunc main() {}", "x.go:3:7: minigo does not have generic functions"},
		{"package main\n\ntype p[T any] struct{ x T }\n\nfunc main() {}", "x.go:3:7: minigo does not have generic types"},
		{"package main\n\nfunc main() { _ = 1i }", "x.go:3:19: minigo does not have complex numbers"},
		{"package main\n\nfunc main() {\n\tvar c complex64\n\t_ = c\n}", "x.go:4:8: minigo does not have complex numbers"},
		{"package main\n\nfunc main() {\n\tfor range func(func() bool) {} {\n\t}\n}", "x.go:4:12: minigo does not have range over functions"},
		{"package main\n\nfunc f()\n\nfunc main() { f() }", "x.go:3:1: minigo does not have functions without a body"},
		{"package main\n\nfunc main() {\n\ts := []int{1}\n\t_ = [1]int(s)\n}", "x.go:5:13: minigo does not have conversion of a slice to an array"},
		{"package main\n\nimport \"unsafe\"\n\nvar _ unsafe.Pointer\n\nfunc main() {}", `x.go:3:8: could not import unsafe (minigo has no package "unsafe")`},
		{"package main\n\nimport \"net/http\"\n\nvar _ = http.Get\n\nfunc main() {}", `x.go:3:8: could not import net/http (minigo has no package "net/http")`},
		{"package main\n\nimport \"../x\"\n\nfunc main() { x.F() }", `x.go:3:8: could not import ../x (minigo has no package "../x")`},
		{"package main\n\nimport \"C\"\n\nfunc main() {}", `x.go:3:8: could not import C`},
		{"package main\n\nimport \"strings\"\n\nfunc main() { strings.Lines(\"\") }", "x.go:5:23: undefined: strings.Lines"},
		{"package main\n\nfunc main() {\n\tvar a [100000]int\n\tb := a\n\t_ = b\n}", "values this large by value; use a pointer or a slice"},
		{"package main\n\nvar a [1 << 40]int\n\nfunc main() { a[0] = 1 }", "x.go:3:5: minigo does not have types this large"},
		{"package main\n\nfunc main() {\n\tp := new([1 << 31]int8)\n\tp[0] = 1\n}", "x.go:4:11: minigo does not have types this large"},
		{"package main\n\ntype t [1 << 20][1 << 20][1 << 20][1 << 20]string\n\nfunc main() { println(len(t{})) }", "x.go:3:6: minigo does not have types this large"},
		{"package main\n\ntype t [1 << 31]struct{}\n\nfunc main() {}", "x.go:3:6: minigo does not have types this large"},
		{doubled("[1 << 16]int", 14) + "\nfunc main() { var p *t14; println(p) }", "x.go:15:6: minigo does not have types this large"},
		{"package lib\n\nfunc main() {}", "x.go:1:9: package lib is not a program; a program is package main"},
		{"package main", "x.go:1:9: function main is undeclared in the main package"},
		{"package main\n\nfunc main() { x := 1 }", "x.go:3:15: declared and not used: x"},
		{"package main\n\nfunc main() { return 1 }", "x.go:3:22: too many return values"},
		{"package main\n\nfunc main() {", "x.go:3:14: expected '}', found 'EOF'"},
		{"", "x.go:1:1: expected 'package', found 'EOF'"},
		{"\x00\xff", "x.go:1:1: illegal character NUL"},
	} {
		_, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte(c.source)})
		assert.ErrorContains(t, err, c.want)
		var syntax *minigo.SyntaxError
		var unsupported *minigo.UnsupportedError
		require.True(t, errors.As(err, &syntax) || errors.As(err, &unsupported), "%T", err)
	}
}

// doubled is a program without main of types, each a struct of two of the one before.
func doubled(base string, times int) string {
	var b strings.Builder
	b.WriteString("package main\n\ntype t0 " + base + "\n")
	for i := range times {
		fmt.Fprintf(&b, "type t%d struct{ a, b t%d }\n", i+1, i)
	}
	return b.String()
}

func TestATypeOfManyPartsThatTakesNoRoomIsAsAnyOther(t *testing.T) {
	out, err := run(t, "x.go", []byte(doubled("struct{}", 14)+"\nfunc main() { var x, y t14; println(x == y, any(x) == any(y)) }"), minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, "true true\n", out)
}

func TestAProgramCannotHarmItsHost(t *testing.T) {
	body := func(s string) string { return "package main\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\n" + s }
	for _, c := range []struct{ name, source, want string }{
		{"recursion", body("func f(n int) int { return f(n+1) + 1 }\n\nfunc main() { mu.Lock(); f(0) }"), "fatal error: stack overflow"},
		{"recursion of a closure", body("func main() { var f func(); f = func() { f() }; f() }"), "fatal error: stack overflow"},
		{"recursion of deferred calls", body("func f() { defer f() }\n\nfunc main() { f() }"), "fatal error: stack overflow"},
		{"a slice of everything", body("func main() { n := 1 << 40; _ = make([]int, n) }"), "panic: runtime error: makeslice: len out of range"},
		{"a channel of everything", body("func main() { n := 1 << 40; _ = make(chan int, n) }"), "panic: makechan: size out of range"},
		{"too many goroutines", body("func main() { for { go func() { select {} }() } }"), "panic: scheduler: too many fibers"},
		{"too many timers", "package main\n\nimport \"time\"\n\nfunc main() { for { time.After(time.Hour) } }", "too many timers"},
		{"unlock", body("func main() { mu.Unlock() }"), "fatal error: sync: unlock of unlocked mutex"},
		{"go nil", body("func main() { var f func(); go f() }"), "fatal error: go of nil func value"},
		{"deadlock", body("func main() { select {} }"), "goroutine 1 [select (no cases)]"},
		{"main is gone", "package main\n\nimport \"runtime\"\n\nfunc main() { runtime.Goexit() }", "fatal error: no goroutines (main called runtime.Goexit) - deadlock!"},
		{"an error that panics", body("type e struct{}\n\nfunc (e) Error() string { panic(1) }\n\nfunc main() { panic(e{}) }"), "panic: (main.e)"},
		{"an error that never returns", body("type e struct{}\n\nfunc (e) Error() string { for { } }\n\nfunc main() { panic(e{}) }"), "panic: (main.e)"},
		{"an error that waits", body("type e struct{}\n\nfunc (e) Error() string { <-make(chan int); return \"\" }\n\nfunc main() { panic(e{}) }"), "panic: (main.e)"},
		{"an error that sends", body("type e chan int\n\nfunc (c e) Error() string { c <- 1; return \"\" }\n\nfunc main() { panic(make(e, 1)) }"), "panic: (main.e)"},
		{"repeat", "package main\n\nimport \"strings\"\n\nfunc main() { strings.Repeat(\"x\", 1<<40) }", "Repeat output length overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := minigo.Config{MaxDepth: 10_000}
			cfg.Scheduler.MaxFibers, cfg.Scheduler.MaxTimers = 1000, 1000
			_, err := run(t, "x.go", []byte(c.source), cfg)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestAHugeLiteralIsCompiledAndRun(t *testing.T) {
	source := "package main\n\nfunc main() { println(len(\"" + strings.Repeat("x", 100<<20) + "\")) }"
	out, err := run(t, "x.go", []byte(source), minigo.Config{})
	require.NoError(t, err)
	require.Equal(t, "104857600\n", out)
}

func TestAnEndlessProgramEndsWithItsContext(t *testing.T) {
	program, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte("package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println()\n\tfor {\n\t\tdefer func() { recover() }()\n\t}\n}")})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: writerFunc(func() { cancel() })}})
	require.NoError(t, err)
	require.ErrorIs(t, host.Run(ctx), context.Canceled)
}

// writerFunc is called for each write.
type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}
