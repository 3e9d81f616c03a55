package minigo_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// A program of two goroutines and a channel. Time is virtual: the sleep takes none.
func Example() {
	program, err := minigo.Compile(minigo.File{Name: "double.go", Text: []byte(`package main

import (
	"fmt"
	"time"
)

func main() {
	answers := make(chan int)
	go func() {
		time.Sleep(time.Hour)
		answers <- 2 * 21
	}()
	fmt.Println(<-answers)
}
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: os.Stdout}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()), host.Scheduler().Now())
	// Output:
	// 42
	// <nil> 1h0m0s
}

// The files of a program are those of one package main.
func ExampleCompile() {
	program, err := minigo.Compile(
		minigo.File{Name: "main.go", Text: []byte(`package main; func main() { println(answer) }`)},
		minigo.File{Name: "answer.go", Text: []byte(`package main; const answer = 42`)},
	)
	fmt.Println(program != nil, err)
	// Output: true <nil>
}

// An explored program asks scheduler.Config.Choose where it may be preempted: here, before the goroutine
// is started that ends the program's wait.
func ExampleCompileExplored() {
	program, err := minigo.CompileExplored(minigo.File{Name: "main.go", Text: []byte(`package main

func main() {
	done := make(chan bool)
	go func() { close(done) }()
	<-done
}
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := minigo.Config{Scheduler: scheduler.Config{Choose: func(c scheduler.Choice) int {
		fmt.Println(c.Kind, c.Options)
		return 0
	}}}
	host, err := minigo.New(program, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()))
	// Output:
	// point 2
	// point 2
	// <nil>
}

// A File may come from anywhere: its name is used in messages only.
func ExampleFile() {
	_, err := minigo.Compile(minigo.File{Name: "cell 7", Text: []byte("package main\n\nfunc main() { x }")})
	fmt.Println(err)
	// Output: cell 7:3:15: undefined: x
}

// One Program runs on several Hosts.
func ExampleProgram() {
	program, _ := minigo.Compile(minigo.File{Name: "args.go", Text: []byte(`package main

import (
	"fmt"
	"os"
)

func main() { fmt.Println("hello", os.Args[1]) }
`)})
	for _, name := range []string{"Ada", "Alan"} {
		host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: os.Stdout}, Args: []string{"args", name}})
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = host.Run(context.Background())
	}
	// Output:
	// hello Ada
	// hello Alan
}

// The code that the interpreter executes, as text.
func ExampleProgram_Disassemble() {
	program, _ := minigo.Compile(minigo.File{Name: "add.go", Text: []byte(`package main

func main() { println(1) }
`)})
	_, code, _ := strings.Cut(program.Disassemble(), " main.main ")
	for i, line := range strings.Split(strings.TrimSpace(code), "\n") {
		if i > 0 { // number, line of the source, operation, operands
			fmt.Println(strings.Fields(line)[:3])
		}
	}
	// Output:
	// [0 3 LoadI]
	// [1 3 Print]
	// [2 3 Ret]
}

// New fails only if the Config asks for what this machine cannot do.
func ExampleNew() {
	program, _ := minigo.Compile(minigo.File{Name: "hello.go", Text: []byte(`package main

func main() { println("hello") }
`)})
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stderr: os.Stdout}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()))
	// Output:
	// hello
	// <nil>
}

// A short slice lets goroutines take turns often. The start of the clock is the program's date.
func ExampleConfig() {
	program, _ := minigo.Compile(minigo.File{Name: "now.go", Text: []byte(`package main

import (
	"fmt"
	"time"
)

func main() { fmt.Println(time.Now().Unix()) }
`)})
	host, err := minigo.New(program, minigo.Config{
		Access: sandbox.Access{
			Stdout: os.Stdout,
			Start:  time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC),
		},
		Scheduler: scheduler.Config{Budget: 100},
		MaxDepth:  1000,
		JIT:       minigo.JITOff,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = host.Run(context.Background())
	// Output: 981158400
}

// A run ends with the error of its context, also if the program loops without end.
func ExampleHost_Run() {
	program, _ := minigo.Compile(minigo.File{Name: "loop.go", Text: []byte(`package main

func main() {
	for {
	}
}
`)})
	host, err := minigo.New(program, minigo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // from any goroutine, at any time
	fmt.Println(host.Run(ctx))
	// Output: context canceled
}

// The scheduler has the figures of a run.
func ExampleHost_Scheduler() {
	program, _ := minigo.Compile(minigo.File{Name: "three.go", Text: []byte(`package main

func main() {
	done := make(chan bool)
	for range 3 {
		go func() { done <- true }()
	}
	for range 3 {
		<-done
	}
}
`)})
	host, err := minigo.New(program, minigo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = host.Run(context.Background())
	fmt.Println(host.Scheduler().Inspect().Counts().Spawned, "goroutines")
	// Output: 4 goroutines
}

// visits is an output that asks for the context of the goroutine that prints.
type visits struct{ host *minigo.Host }

func (v *visits) Write(text []byte) (int, error) {
	fmt.Printf("user %v prints %s", v.host.Context().Value(userKey{}), text)
	return len(text), nil
}

type userKey struct{}

// Go code that the program calls has the values of the context that was given to Run.
func ExampleHost_Context() {
	program, _ := minigo.Compile(minigo.File{Name: "hello.go", Text: []byte(`package main

import "fmt"

func main() { fmt.Println("hello") }
`)})
	out := new(visits)
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: out}})
	if err != nil {
		fmt.Println(err)
		return
	}
	out.host = host
	_ = host.Run(context.WithValue(context.Background(), userKey{}, 7))
	// Output: user 7 prints hello
}
