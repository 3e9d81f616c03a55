package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
)

// greeter exports greet, which gives its argument to the Go function greeting and returns what that
// does, and count.
func greeter() []byte {
	return asm.Assemble(`
		import "app" "greeting" greeting (i32 i32) (i64)
		import "selvage" "result" result (i32 i32)
		memory 1
		global top i32 1024
		global n i64 0
		func malloc (i32) (i32) export
			global.get top
			global.get top local.get 0 i32.add global.set top
		end
		func greet (i32 i32) export
			locals i64
			local.get 0 local.get 1 call greeting local.set 2
			local.get 2 i64.const 32 i64.shr_u i32.wrap_i64 local.get 2 i32.wrap_i64 call result
		end
		func count (i64) (i64) export
			global.get n local.get 0 i64.add global.set n global.get n
		end`)
}

type person struct {
	Name string
	Age  int `guest:",omitempty"`
}

// A Go function is imported by a program whose functions Go code calls.
func ExampleHost_Bind() {
	program, err := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer program.Close()
	host, err := fibers.New(fibers.Config{Program: program})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	greeting := bind.Must(bind.New(func(p person) (map[string]string, error) {
		if p.Name == "" {
			return nil, fs.ErrInvalid
		}
		return map[string]string{"text": "hello " + p.Name}, nil
	}))
	fmt.Println(host.Bind("app.greeting", greeting))
	ctx := context.Background()
	fmt.Println(bind.Call[map[string]string](ctx, host, "greet", person{Name: "Ada"}))
	_, err = host.Call(ctx, "greet", person{})
	fmt.Println(errors.Is(err, fs.ErrInvalid), err)
	// Output:
	// <nil>
	// map[text:hello Ada] <nil>
	// true greeter.wasm: greet: invalid argument
}

// serving is a Host of the program, with a Go function that it needs.
func serving(program *fibers.Program) *fibers.Host {
	host, err := fibers.New(fibers.Config{Program: program})
	if err == nil {
		err = host.Bind("app.greeting", bind.Must(bind.New(func(p person) any { return p })))
	}
	if err != nil {
		panic(err)
	}
	return host
}

// One Program serves many Hosts; each has an instance with a memory of its own.
func ExampleCompile() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	for range 2 {
		host := serving(program)
		fmt.Println(host.Call(context.Background(), "count", 2))
		fmt.Println(host.Call(context.Background(), "count", 3))
		host.Close()
	}
	_, err := fibers.Compile("bad.wasm", []byte("\x00asm"), wasm.Config{})
	fmt.Println(errors.As(err, new(*wasm.ModuleError)))
	// Output:
	// [2] <nil>
	// [5] <nil>
	// [2] <nil>
	// [5] <nil>
	// true
}

// Closing a Program frees its machine code, after its Hosts have been closed.
func ExampleProgram_Close() {
	program, err := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	fmt.Println(err)
	program.Close()
	// Output: <nil>
}

func ExampleProgram() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	fmt.Println(bind.Call[person](context.Background(), host, "greet", person{"Ada", 36}))
	// Output: {Ada 36} <nil>
}

func ExampleHost_Call() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	ctx := context.Background()
	fmt.Println(host.Call(ctx, "count", 20))
	fmt.Println(host.Call(ctx, "greet", person{"Ada", 36}))
	fmt.Println(host.Call(ctx, "count", "many"))
	// Output:
	// [20] <nil>
	// [map[age:36 name:Ada]] <nil>
	// [] bind: argument 1: the string "many" needs two i32 there, an address and a length
}

func ExampleHost_CallInto() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	var n uint8
	fmt.Println(host.CallInto(context.Background(), []any{&n}, "count", 200), n)
	fmt.Println(host.CallInto(context.Background(), []any{&n}, "count", 100), n)
	// Output:
	// <nil> 200
	// bind: result 1: want a whole number from 0 to 255, got the number 300 200
}

// Goroutines post calls to a Host that another goroutine runs.
func ExampleHost_Start() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	served := make(chan error)
	go func() { served <- host.Serve(ctx) }()
	for range 2 {
		call, err := host.Start("count", 21)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(bind.Result[int](ctx, call))
	}
	stop()
	fmt.Println(<-served)
	// Output:
	// 21 <nil>
	// 42 <nil>
	// context canceled
}

// Serve runs calls until its context ends.
func ExampleHost_Serve() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	call, _ := host.Start("count", 1)
	go func() {
		<-call.Done()
		stop()
	}()
	fmt.Println(host.Serve(ctx))
	fmt.Println(call.Result(context.Background()))
	// Output:
	// context canceled
	// [1] <nil>
}

// A call has a quota of steps of its own; the next call goes on with what the Host has.
func ExampleLimited() {
	program, _ := fibers.Compile("greeter.wasm", greeter(), wasm.Config{})
	defer program.Close()
	host := serving(program)
	defer host.Close()
	ctx := context.Background()
	_, err := host.Call(ctx, fibers.Limited{Func: "count", Quota: quota.Limits{Steps: 1}}, 2)
	fmt.Println(errors.As(err, new(*quota.Error)))
	fmt.Println(host.Call(ctx, "count", 2))
	// Output:
	// true
	// [2] <nil>
}
