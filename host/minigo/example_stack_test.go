package minigo_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
)

const looking = `package main

import "host/debug"

func add(n int) int {
	name := "sum"
	debug.Stack()
	return n + len(name)
}

func main() { add(7) }
`

func ExampleHost_Stack() {
	var host *minigo.Host
	stack := func() {
		id, _ := host.Scheduler().Current().Regular()
		for _, f := range host.Stack(id, true) {
			fmt.Println(f.Function, f.File, f.Line, f.Locals)
		}
	}
	library := minigo.Library{Inspected: true} // for the variables
	if err := library.Bind("host/debug.Stack", bind.Must(bind.New(stack))); err != nil {
		fmt.Println(err)
		return
	}
	program, err := library.Compile(minigo.File{Name: "main.go", Text: []byte(looking)})
	if err != nil {
		fmt.Println(err)
		return
	}
	if host, err = minigo.New(program, minigo.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()))
	// Output:
	// host/debug.Stack  0 []
	// main.add main.go 7 [{n 7} {name "sum"}]
	// main.main main.go 11 []
	// <nil>
}

func ExampleHost_Source() {
	library := minigo.Library{Inspected: true}
	program, err := library.Compile(minigo.File{Name: "main.go", Text: []byte("package main\n\nfunc main() {}\n")})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := minigo.New(program, minigo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, ok := host.Source("main.go")
	fmt.Printf("%q %v\n", text, ok)
	// Output: "package main\n\nfunc main() {}\n" true
}
