package client_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
	"github.com/selvage-dev/selvage/scheduler"
)

// A program that serves an inspector is asked for its fibers.
func Example() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.SpawnWith(0, scheduler.Options{Name: "reader"})
	listener, err := inspect.Listen("127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	inspector := inspect.New(inspect.Config{Core: &s.Core, Program: "demo"})
	server, err := inspect.Serve(listener, inspector)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel() // ends Hold
		c, err := client.New(listener.URL(""), client.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		defer c.Close()
		list, err := c.Fibers(ctx, client.Query{Search: "read"})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range list.Fibers {
			fmt.Println(f.ID, client.Printable(f.Name), f.State)
		}
	}()
	inspector.Hold(ctx) // s.Run would answer, too
	// Output:
	// f0.1 reader runnable
}
