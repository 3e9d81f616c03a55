package main

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/host/minigo"
)

func TestGoProgramsEndAsCompiledOnes(t *testing.T) {
	const head = "package main\n\nimport \"os\"\n\nvar _ = os.Args\n\n"
	files{
		"ok.go":    head + `func main() { println(len(os.Args), os.Args[1]) }`,
		"exit.go":  head + `func main() { os.Exit(3) }`,
		"panic.go": head + "func f() {\n\tpanic(\"no\")\n}\n\nfunc main() {\n\tf()\n}\n",
		"dead.go":  head + "func main() {\n\t<-make(chan int)\n}\n",
		"bad.go":   head + "func main() {\n\tvar x int = \"a\"\n}\n",
	}.write(t)
	for _, c := range []struct {
		line   string
		status int
		err    string
	}{
		{"ok.go a", 0, "2 a\n"},
		{"exit.go", 3, ""},
		{"panic.go", 2, "panic: no\n\ngoroutine 1 [running]:\nmain.f(...)\n\tpanic.go:8\nmain.main(...)\n\tpanic.go:12\n"},
		{"dead.go", 2, "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main(...)\n\tdead.go:8\n"},
		{"bad.go", 1, "bad.go:8:14: cannot use \"a\""},
	} {
		e := selvage(t, append([]string{"run"}, strings.Fields(c.line)...)...)
		if c.err == "" {
			e.want(t, c.status)
		} else {
			e.want(t, c.status, c.err)
		}
	}
}

func TestTheJITTellsWhatItDid(t *testing.T) {
	files{"loop.go": `package main

func main() {
	s := 0
	for i := range 100_000 {
		s += i
	}
	println(s)
}
`}.write(t)
	e := selvage(t, "run", "--jit=off", "--jit-stats", "loop.go")
	e.want(t, 0, "4999950000\n", "jit: it is off\n", "jit: 0 functions")
	e = selvage(t, "run", "--jit=on", "--jit-stats", "loop.go")
	e.want(t, 0, "4999950000\n")
	if minigo.JITWorks() == nil {
		e.want(t, 0, "jit: 1 functions", "1 for an operation")
	}
	e = selvage(t, "run", "--jit=perhaps", "loop.go")
	e.want(t, statusUsage, "--jit must be one of")
	for _, flag := range []string{"--jit=eager", "--jit-stats"} {
		e = selvage(t, "run", flag, "loop.lua")
		e.want(t, statusUsage, "only Go programs become machine code")
	}
}
