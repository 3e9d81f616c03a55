package fibers_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
)

// answerer is a Host whose program has a function.
func answerer() *fibers.Host {
	p, err := fibers.Compile("p.wasm", asm.Assemble("func answer () (i32) export i32.const 42 end"), wasm.Config{})
	if err != nil {
		panic(err)
	}
	host, err := fibers.New(fibers.Config{Program: p})
	if err != nil {
		panic(err)
	}
	return host
}

// A call that was posted to a paused Host is executed after the Resume.
func ExampleHost_Pause() {
	host, ctx := answerer(), context.Background()
	defer host.Close()
	fmt.Println(host.Pause(ctx), host.Group().Paused())
	fmt.Println(host.Resume(ctx))
	fmt.Println(host.Call(ctx, "answer"))
	// Output:
	// <nil> true
	// <nil>
	// [42] <nil>
}

// ExampleHost_Resume is that of Pause.
func ExampleHost_Resume() {
	host := answerer()
	defer host.Close()
	fmt.Println(host.Resume(context.Background())) // it was not paused
	// Output: <nil>
}

// The Group of a Host counts and limits all of its fibers.
func ExampleHost_Group() {
	host := answerer()
	defer host.Close()
	host.Group().SetWeight(3)
	fmt.Println(host.Group().Spent().Fibers)
	// Output: 0
}

// A Host that is shut down finishes its calls and takes no new ones.
func ExampleHost_Shutdown() {
	host, ctx := answerer(), context.Background()
	defer host.Close()
	fmt.Println(host.Shutdown(ctx))
	_, err := host.Call(ctx, "answer")
	fmt.Println(err)
	// Output:
	// <nil>
	// scheduler: stopped
}
