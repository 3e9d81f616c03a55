package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

const counting = `local function count(n) for i = 1, n do end fiber.chan():recv() end
fiber.spawn(count, 1000)
fiber.spawn(count, 10)
fiber.chan():recv()
`

// What each fiber has done, and in which function it waits.
func ExampleHost_Steps() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(counting), "counting.lua")
	var deadlock *scheduler.DeadlockError
	if !errors.As(err, &deadlock) {
		fmt.Println(err)
		return
	}
	for _, f := range deadlock.Report.Fibers {
		id, _ := f.ID.Regular()
		steps, _ := host.Steps(id)
		fmt.Println(f.ID, host.Function(id), steps)
	}
	// Output:
	// f0.1 main chunk 16
	// f1.1 <counting.lua:1> 1010
	// f2.1 <counting.lua:1> 20
}
