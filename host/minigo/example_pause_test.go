package minigo_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo"
)

// answering is a Host whose program has a function.
func answering() *minigo.Host {
	program, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte("package main\n\nfunc Answer() int { return 42 }\n\nfunc Spin() { for {} }\n\nfunc main() {}\n")})
	if err != nil {
		panic(err)
	}
	host, err := minigo.New(program, minigo.Config{})
	if err != nil {
		panic(err)
	}
	return host
}

// A call that was posted to a paused program is executed after the Resume.
func ExampleHost_Pause() {
	host, ctx := answering(), context.Background()
	defer host.Close()
	fmt.Println(host.Pause(ctx))
	call, err := host.Start("Answer")
	fmt.Println(err, host.Resume(ctx), host.Shutdown(ctx)) // which runs what was posted
	fmt.Println(call.Result(ctx))
	// Output:
	// <nil>
	// <nil> <nil> <nil>
	// [42] <nil>
}

// ExampleHost_Resume is that of Pause.
func ExampleHost_Resume() {
	host := answering()
	defer host.Close()
	fmt.Println(host.Resume(context.Background())) // it was not paused
	// Output: <nil>
}

// A Host that is shut down finishes its calls and takes no new ones.
func ExampleHost_Shutdown() {
	host, ctx := answering(), context.Background()
	defer host.Close()
	fmt.Println(host.Shutdown(ctx))
	_, err := host.Call(ctx, "Answer")
	fmt.Println(err)
	// Output:
	// <nil>
	// scheduler: stopped
}
