package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo"
)

// runMain runs a program whose main has the body.
func runMain(body string) error {
	program, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte("package main\n\nimport \"os\"\n\nvar _ = os.Exit\n\nfunc main() {" + body + "}\n")})
	if err != nil {
		return err
	}
	host, err := minigo.New(program, minigo.Config{MaxDepth: 100})
	if err != nil {
		return err
	}
	return host.Run(context.Background())
}

// A command exits with the status of the program.
func ExampleExitError() {
	err := runMain(`os.Exit(3)`)
	var exit *minigo.ExitError
	fmt.Println(errors.As(err, &exit), exit.Status)
	// Output: true 3
}

// The message is what Go prints, with the traceback.
func ExamplePanicError() {
	err := runMain(`var list []int; list[5]++`)
	var panicked *minigo.PanicError
	fmt.Println(errors.As(err, &panicked))
	message, _, _ := strings.Cut(err.Error(), "\n")
	fmt.Println(message)
	// Output:
	// true
	// panic: runtime error: index out of range [5] with length 0
}

// The limit is Config.MaxDepth.
func ExampleFatalError() {
	err := runMain(`var f func(); f = func() { f() }; f()`)
	var fatal *minigo.FatalError
	fmt.Println(errors.As(err, &fatal), fatal.Text)
	// Output: true stack overflow
}

// The report of the scheduler is wrapped: it has each goroutine and what it waits for.
func ExampleDeadlockError() {
	err := runMain(`<-make(chan int)`)
	var deadlock *minigo.DeadlockError
	fmt.Println(errors.As(err, &deadlock))
	fmt.Println(len(deadlock.Err.Report.Fibers), "blocked on", deadlock.Err.Report.Fibers[0].Reason)
	// Output:
	// true
	// 1 blocked on queue
}

// Positions and problems are those of the go command.
func ExampleSyntaxError() {
	err := runMain(`x := 1`)
	var syntax *minigo.SyntaxError
	fmt.Println(errors.As(err, &syntax))
	fmt.Println(err)
	// Output:
	// true
	// x.go:7:14: declared and not used: x
}

// What is not in the subset is refused by name, before the program runs.
func ExampleUnsupportedError() {
	err := runMain("var a [100000]int; b := a; _ = b")
	var unsupported *minigo.UnsupportedError
	fmt.Println(errors.As(err, &unsupported))
	fmt.Println(err)
	// Output:
	// true
	// x.go:7: minigo does not have values this large by value; use a pointer or a slice
}

// A host that compiles untrusted sources tells a bug of the compiler from a mistake in the source.
func ExampleDefectError() {
	err := error(&minigo.DefectError{Cause: "unexpected node"}) // as Compile returns it
	var defect *minigo.DefectError
	if errors.As(err, &defect) {
		fmt.Println("bug report:", defect.Cause, string(defect.Stack))
	}
	// Output: bug report: unexpected node
}

func ExampleDefectError_Error() {
	err := &minigo.DefectError{Cause: "unexpected node"}
	fmt.Println(err.Error())
	// Output: minigo: a defect of the compiler: unexpected node (please report it with the program)
}
