package minigo_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// onWrite is called at each write of the program.
type onWrite func()

func (f onWrite) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

// When main has returned, one goroutine wakes each second, and another one waits for what nothing sends.
func ExampleHost_Stranded() {
	program, err := minigo.Compile(minigo.File{Name: "main.go", Text: []byte(`package main

import "time"

func main() {
	go func() {
		for {
			time.Sleep(time.Second)
			println("tick")
		}
	}()
	go func() { <-make(chan int) }()
	time.Sleep(time.Minute)
}
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var host *minigo.Host
	var ticks fiber.ID
	cfg := minigo.Config{Scheduler: scheduler.Config{Linger: true}, Access: sandbox.Access{Stderr: onWrite(func() {
		if ticks = host.Scheduler().Current(); host.Scheduler().Inspect().Lingers() {
			stop()
		}
	})}}
	if host, err = minigo.New(program, cfg); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(ctx))
	fmt.Println(host.Stranded(func(id fiber.ID) bool { return id == ticks }))
	// Output:
	// context canceled
	// leak: the main fiber has returned, and one fiber is blocked and nothing can wake it
	//   f2.1 at main.main.func2 at main.go:12 waits on chan (0 of 0 buffered, receivers waiting: 1, senders waiting: 0); could be woken by any peer
}
