package fibers_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/scheduler"
)

func ExampleHost_Stack() {
	host, err := fibers.New(fibers.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	binary := asm.Assemble(`
		import "selvage" "chan" chan (i32) (i32)
		import "selvage" "recv" recv (i32 i32 i64) (i32)
		memory 1
		func run () export
			i32.const 0 call chan i32.const 8 i64.const -1 call recv drop
		end`)
	_, err = host.Run(context.Background(), "stuck.wasm", binary)
	var deadlock *scheduler.DeadlockError
	if !errors.As(err, &deadlock) {
		fmt.Println(err)
		return
	}
	for _, f := range deadlock.Report.Fibers {
		id, _ := f.ID.Regular()
		for _, call := range host.Stack(id, false) {
			fmt.Printf("%s %q\n", call.Function, call.File)
		}
	}
	// Output:
	// selvage.recv ""
	// run "stuck.wasm"
}
