package fibers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/sandbox"
)

// Two fibers of a WebAssembly program meet at a channel. The main fiber exits with the value that
// it has received.
func ExampleHost_Run() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	binary := asm.Assemble(`
		import "selvage" "spawn" spawn (i32 i32 i64) (i32)
		import "selvage" "chan" chan (i32) (i32)
		import "selvage" "send" send (i32 i64 i64) (i32)
		import "selvage" "recv" recv (i32 i32 i64) (i32)
		import "wasi_snapshot_preview1" "proc_exit" exit (i32)
		memory 1
		data 64 "child"
		func child (i64) export ;; it sends 42 to the channel that is its argument
			local.get 0 i32.wrap_i64 i64.const 42 i64.const -1 call send drop
		end
		func run () export
			locals i32
			i32.const 0 call chan local.set 0
			i32.const 64 i32.const 5 local.get 0 i64.extend_i32_u call spawn drop
			local.get 0 i32.const 8 i64.const -1 call recv drop
			i32.const 8 i32.load call exit
		end`)
	fmt.Println(host.Run(context.Background(), "meet.wasm", binary))
	// Output: 42 <nil>
}

// sleeps is a program that sleeps for an hour.
func sleeps() []byte {
	return asm.Assemble(`
		import "selvage" "sleep" sleep (i64)
		memory 1
		func run () export
			i64.const 3600000000000 call sleep
		end`)
}

// In virtual time, which the zero Config has, a sleep takes no time.
func ExampleNew() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	_, err = host.Run(context.Background(), "sleeps.wasm", sleeps())
	fmt.Println(err, "at", host.Runtime().Fibers().Scheduler().Now())
	// Output: <nil> at 1h0m0s
}

// A program in a file, as the command selvage runs it.
func ExampleHost_RunFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "sleeps.wasm")
	_ = os.WriteFile(file, sleeps(), 0o600)

	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	fmt.Println(host.RunFile(context.Background(), file))
	// Output: 0 <nil>
}

// The embedder gives the program a function, which waits and blocks the calling fiber only.
func ExampleHost_Runtime() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	err = host.Runtime().Define("env", wasm.Function{
		Name: "greet", Params: []api.ValueType{api.ValueTypeI64},
		Do: func(c *wasm.Caller, stack []uint64) error {
			err := c.Fiber.Sleep(time.Second)
			fmt.Println("hello", stack[0], "at", c.Fiber.Now())
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background(), "greets.wasm", asm.Assemble(`
		import "env" "greet" greet (i64)
		memory 1
		func run () export
			i64.const 7 call greet
		end`)))
	// Output:
	// hello 7 at 1s
	// 0 <nil>
}

// Close ends what a run has left: here a program whose run was stopped.
func ExampleHost_Close() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = host.Run(ctx, "sleeps.wasm", sleeps())
	fmt.Println(err)
	host.Close()
	fmt.Println(host.Runtime().Fibers().Scheduler().Inspect().Live(), "live")
	// Output:
	// context canceled
	// 0 live
}

// The time slice, in calls and jumps back, is a setting of the scheduler.
func ExampleConfig() {
	cfg := fibers.Config{Access: sandbox.Access{Stdout: os.Stdout}}
	cfg.Wasm.Runtime.Budget = 1000
	host, err := fibers.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	fmt.Println(host.Runtime().Fibers().Scheduler().Inspect().Budget())
	// Output: 1000
}

// copies is a command that writes its standard input, up to 64 bytes, to its standard output.
func copies() []byte {
	return asm.Assemble(`
		import "wasi_snapshot_preview1" "fd_read" fd_read (i32 i32 i32 i32) (i32)
		import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
		memory 1
		func _start () export
			i32.const 0 i32.const 100 i32.store ;; a buffer at 100
			i32.const 4 i32.const 64 i32.store  ;; of 64 bytes
			i32.const 0 i32.const 0 i32.const 1 i32.const 4 call fd_read drop
			i32.const 1 i32.const 0 i32.const 1 i32.const 8 call fd_write drop
		end`)
}

// A program has the input and the output that its Access gives it.
func ExampleConfig_access() {
	host, err := fibers.New(fibers.Config{Access: sandbox.Access{
		Stdin:  strings.NewReader("copied\n"),
		Stdout: os.Stdout,
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	fmt.Println(host.Run(context.Background(), "copies.wasm", copies()))
	// Output:
	// copied
	// 0 <nil>
}

// The program opens files below the name /data, which are not on a disk here.
func ExampleConfig_directories() {
	host, err := fibers.New(fibers.Config{Access: sandbox.Access{
		Stdout: os.Stdout,
		Dirs: []sandbox.Dir{{Guest: "/data", FS: fstest.MapFS{
			"answer": {Data: []byte("42\n")},
		}}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	fmt.Println(host.Run(context.Background(), "reads.wasm", asm.Assemble(`
		import "wasi_snapshot_preview1" "path_open" path_open (i32 i32 i32 i32 i32 i64 i64 i32 i32) (i32)
		import "wasi_snapshot_preview1" "fd_read" fd_read (i32 i32 i32 i32) (i32)
		import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
		memory 1
		data 64 "answer"
		func _start () export
			;; 3 is the first directory; 2 the right to read; the descriptor goes to 8
			i32.const 3 i32.const 0 i32.const 64 i32.const 6 i32.const 0 i64.const 2 i64.const 2 i32.const 0 i32.const 8 call path_open drop
			i32.const 0 i32.const 100 i32.store
			i32.const 4 i32.const 64 i32.store
			i32.const 8 i32.load i32.const 0 i32.const 1 i32.const 4 call fd_read drop
			i32.const 1 i32.const 0 i32.const 1 i32.const 12 call fd_write drop
		end`)))
	// Output:
	// 42
	// 0 <nil>
}

// Two Hosts run one Program. It is compiled once.
func ExampleHost_RunProgram() {
	program, err := fibers.Compile("sleeps.wasm", sleeps(), wasm.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer program.Close()
	for range 2 {
		host, err := fibers.New(fibers.Config{Program: program})
		if err != nil {
			fmt.Println(err)
			return
		}
		status, err := host.RunProgram(context.Background())
		fmt.Println(status, err, host.Runtime().Fibers().Scheduler().Now())
		host.Close()
	}
	// Output:
	// 0 <nil> 1h0m0s
	// 0 <nil> 1h0m0s
}
