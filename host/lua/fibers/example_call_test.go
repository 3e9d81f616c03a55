package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua/fibers"
)

// One Program serves many Hosts, each on its own goroutine.
func ExampleCompile() {
	program, err := fibers.Compile(strings.NewReader(`local a, b = ... return a * b`), "area.lua")
	if err != nil {
		fmt.Println(err)
		return
	}
	areas := make([]any, 3)
	var all sync.WaitGroup
	for i := range areas {
		all.Go(func() {
			host := fibers.New(fibers.Config{})
			defer host.Close()
			values, _ := host.Call(context.Background(), program, i+1, 10)
			areas[i] = values[0]
		})
	}
	all.Wait()
	fmt.Println(areas)
	_, err = fibers.Compile(strings.NewReader(`return return`), "area.lua")
	fmt.Println(err)
	// Output:
	// [10 20 30]
	// area.lua:1: syntax error near 'return'
}

// A Program may be called more than once; its globals stay in the Host.
func ExampleProgram() {
	program, _ := fibers.Compile(strings.NewReader(`calls = (calls or 0) + 1 return calls`), "count.lua")
	host := fibers.New(fibers.Config{})
	defer host.Close()
	for range 2 {
		fmt.Println(host.Call(context.Background(), program))
	}
	// Output:
	// [1] <nil>
	// [2] <nil>
}

func ExampleHost_Call() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx := context.Background()
	_, err := host.Run(ctx, strings.NewReader(`
		local seen = 0
		function on_event(event)
			fiber.sleep(1)
			seen = seen + 1
			return seen, {user = event.user, tags = {"new", event.tags[1]}}
		end`), "events.lua")
	fmt.Println(err)
	for _, user := range []string{"ada", "bob"} {
		fmt.Println(host.Call(ctx, "on_event", map[string]any{"user": user, "tags": []string{"login"}}))
	}
	// Output:
	// <nil>
	// [1 map[tags:[new login] user:ada]] <nil>
	// [2 map[tags:[new login] user:bob]] <nil>
}

func ExampleValueError() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	_, err := host.Call(context.Background(), "print", 1, []any{"a", make(chan int)})
	if refused, ok := errors.AsType[*bind.ValueError](err); ok {
		fmt.Println(refused.Place)
	}
	// Output: argument 2[1]
}

// Goroutines post calls to a Host that another goroutine runs.
func ExampleHost_Start() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	_, err := host.Run(ctx, strings.NewReader(`
		local jobs = fiber.chan()
		function take() return (jobs:recv()) end
		function put(job) jobs:send(job) end`), "jobs.lua")
	fmt.Println(err)
	served := make(chan error)
	go func() { served <- host.Serve(ctx) }()

	taken, _ := host.Start("take")
	_, _ = host.Start("put", "a job")
	fmt.Println(taken.Result(ctx))
	stop()
	fmt.Println(<-served)
	// Output:
	// <nil>
	// [a job] <nil>
	// context canceled
}

func ExampleHost_Start_results() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	forever, _ := fibers.Compile(strings.NewReader(`while true do end`), "forever.lua")
	handle, _ := host.Start(forever)
	_ = handle.Cancel(errors.New("it takes too long"))
	go func() {
		<-handle.Done()
		stop()
	}()
	_ = host.Serve(ctx)
	_, err := handle.Result(context.Background())
	fmt.Println(err)
	// Output: cancelled: it takes too long
}

// Serve runs what other goroutines Start, until its context ends.
func ExampleHost_Serve() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	L := host.State().Base()
	L.SetGlobal("stop", L.NewFunction(func(*glua.LState) int { stop(); return 0 }))
	_, _ = host.Start("stop")
	fmt.Println(host.Serve(ctx))
	// Output: context canceled
}

// A Go function raises an error that Lua code passes on.
func ExampleGuestError_Unwrap() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	L := host.State().Base()
	L.SetGlobal("open", L.NewFunction(func(L *glua.LState) int {
		_, err := os.Open(L.CheckString(1))
		L.Error(&glua.LUserData{Value: err}, 0)
		return 0
	}))
	_, err := host.Run(context.Background(), strings.NewReader(`
		local ok, e = pcall(open, "/no/such/file")
		error(e)`), "open.lua")
	fmt.Println(errors.Is(err, os.ErrNotExist), err)
	// Output: true open /no/such/file: no such file or directory
}
