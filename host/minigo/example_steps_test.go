package minigo_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/scheduler"
)

const waitingFor = `package main

func count(n int, done chan bool) {
	for range n {
	}
	done <- true
}

func main() {
	go count(1000, nil)
	go count(10, nil)
	<-make(chan bool)
}
`

// stuck runs the program above to its deadlock, and returns its goroutines.
func stuck(cfg minigo.Config) (*minigo.Host, []scheduler.BlockedFiber, error) {
	program, err := minigo.Compile(minigo.File{Name: "main.go", Text: []byte(waitingFor)})
	if err != nil {
		return nil, nil, err
	}
	host, err := minigo.New(program, cfg)
	if err != nil {
		return nil, nil, err
	}
	var deadlock *scheduler.DeadlockError
	if err := host.Run(context.Background()); !errors.As(err, &deadlock) {
		return nil, nil, err
	}
	return host, deadlock.Report.Fibers, nil
}

func ExampleHost_Function() {
	host, goroutines, err := stuck(minigo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range goroutines {
		id, _ := g.ID.Regular()
		fmt.Println(g.ID, host.Function(id))
	}
	// Output:
	// f0.1 main.main
	// f1.1 main.count
	// f2.1 main.count
}

func ExampleHost_Steps() {
	host, goroutines, err := stuck(minigo.Config{CountSteps: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range goroutines {
		id, _ := g.ID.Regular()
		steps, counted := host.Steps(id)
		fmt.Println(g.ID, steps, counted)
	}
	// Output:
	// f0.1 1 true
	// f1.1 999 true
	// f2.1 9 true
}
