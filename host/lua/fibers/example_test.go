package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

func ExampleHost() {
	host := fibers.New(fibers.Config{Access: sandbox.Access{Stdout: os.Stdout}})
	defer host.Close()
	values, err := host.Run(context.Background(), strings.NewReader(`
		local jobs, results = fiber.chan(), fiber.chan()
		for worker = 1, 3 do
			fiber.spawn(function()
				for n in jobs:iter() do fiber.sleep(n); results:send(n * n) end
			end)
		end
		fiber.spawn(function() for n = 1, 6 do jobs:send(n) end jobs:close() end)
		local sum = 0
		for i = 1, 6 do sum = sum + results:recv() end
		print(sum)
		return sum, fiber.now()`), "squares.lua")
	fmt.Println(values, err)
	// Output:
	// 91
	// [91 9] <nil>
}

// A program that cannot go on says where each of its fibers stands.
func ExampleHost_deadlock() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(`
		local lock = fiber.mutex()
		lock:lock()
		fiber.spawn(function() lock:lock() end):join()`), "stuck.lua")
	var deadlock *scheduler.DeadlockError
	if errors.As(err, &deadlock) {
		for _, f := range deadlock.Report.Fibers {
			fmt.Println(f.Site, f.On)
		}
		fmt.Println(deadlock.Report.Cycle)
	}
	// Output:
	// stuck.lua:4 [the end of f1.1]
	// stuck.lua:4 [mutex "stuck.lua:2 #1" (owner f0.1, waiting: 1)]
	// [f0.1 f1.1]
}

func ExampleConfig() {
	cfg := fibers.Config{
		Runtime: stackful.Config{Config: scheduler.Config{Budget: 1000, MaxFibers: 2}},
		Access:  sandbox.Access{Stdout: os.Stdout},
	}
	cfg.Runtime.Unobserved = func(f *scheduler.UnobservedError) { fmt.Println("lost:", f.Name) }
	host := fibers.New(cfg)
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(`
		local runaway = fiber.spawn(function() while true do end end)
		print(pcall(fiber.spawn, print))
		runaway:cancel()
		runaway:join()
		fiber.spawn(error, "nobody joins me"):name("worker")
		fiber.yield()`), "limits.lua")
	fmt.Println(err)
	// Output:
	// false	limits.lua:3: spawn: too many fibers: 2 are alive; let some end first, or raise the limit (Config.Runtime.MaxFibers)
	// lost: worker
	// <nil>
}

func ExampleGuestError() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(`
		local function order(n) if n < 0 then error("how many?") end end
		order(-1)`), "shop.lua")
	var guest *fibers.GuestError
	if errors.As(err, &guest) {
		fmt.Println(guest.Message)
		fmt.Println(guest.Traceback)
	}
	// Output:
	// shop.lua:2: how many?
	// stack traceback:
	// 	[G]: in function 'error'
	// 	shop.lua:2: in function 'order'
	// 	shop.lua:3: in main chunk
	// 	[G]: ?
}

func ExampleConfig_unobserved() {
	var cfg fibers.Config
	cfg.Runtime.Unobserved = func(f *scheduler.UnobservedError) {
		var guest *fibers.GuestError
		fmt.Println(f.Name, f.ID, errors.As(f, &guest))
		fmt.Println(f)
	}
	host := fibers.New(cfg)
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(`
		fiber.spawn(function() local config; return config.port end):name("server")
		fiber.sleep(1)`), "serve.lua")
	fmt.Println(err)
	// Output:
	// server f1.1 true
	// fiber f1.1 "server" failed and nothing joined it: serve.lua:2: attempt to index a non-table object(nil) with key 'port'
	// <nil>
}
