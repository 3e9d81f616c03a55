package fibers_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/scheduler"
)

// counting turns a loop a thousand times, and then waits for a value that does not come.
const counting = `
	import "selvage" "chan" chan (i32) (i32)
	import "selvage" "recv" recv (i32 i32 i64) (i32)
	memory 1
	func turn (i32) loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end end
	func run () export
		i32.const 1000 call turn i32.const 0 call chan i32.const 8 i64.const -1 call recv drop
	end`

func ExampleHost_Steps() {
	host, err := fibers.New(fibers.Config{CountSteps: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	_, err = host.Run(context.Background(), "counting.wasm", asm.Assemble(counting))
	var deadlock *scheduler.DeadlockError
	if !errors.As(err, &deadlock) {
		fmt.Println(err)
		return
	}
	for _, f := range deadlock.Report.Fibers {
		id, _ := f.ID.Regular()
		steps, counted := host.Steps(id)
		fmt.Println(steps, counted)
	}
	fmt.Println(host.Spent().Steps)
	// Output:
	// 7010 true
	// 7010
}

func ExampleHost_Function() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	_, err = host.Run(context.Background(), "counting.wasm", asm.Assemble(counting))
	var deadlock *scheduler.DeadlockError
	if !errors.As(err, &deadlock) {
		fmt.Println(err)
		return
	}
	for _, f := range deadlock.Report.Fibers {
		id, _ := f.ID.Regular()
		fmt.Println(host.Function(id))
	}
	// Output: run
}
