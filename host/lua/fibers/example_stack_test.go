//go:build !purego

package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

const stuck = `local function take(ch, n)
  local sum = n
  return sum + ch:recv()
end
local v = take(fiber.chan(), 7)
`

func ExampleHost_Stack() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(stuck), "stuck.lua")
	var deadlock *scheduler.DeadlockError
	if !errors.As(err, &deadlock) {
		fmt.Println(err)
		return
	}
	for _, f := range deadlock.Report.Fibers {
		id, _ := f.ID.Regular()
		for _, call := range host.Stack(id, true) {
			fmt.Println(call.Function, call.File, call.Line, call.Locals)
		}
	}
	// Output:
	// recv  0 []
	// take stuck.lua 3 [{ch chan: stuck.lua:5 #1} {n 7} {sum 7}]
	// main chunk stuck.lua 5 [{take function <stuck.lua:1>}]
}

func ExampleHost_Source() {
	host := fibers.New(fibers.Config{Lua: lua.Config{KeepSource: 1 << 20}})
	defer host.Close()
	if _, err := host.Run(context.Background(), strings.NewReader("local x = 1"), "main.lua"); err != nil {
		fmt.Println(err)
		return
	}
	text, ok := host.Source("main.lua")
	fmt.Println(string(text), ok)
	// Output: local x = 1 true
}
