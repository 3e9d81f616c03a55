// Package starlark runs Starlark programs on fibers: those of go.starlark.net, each fiber with a thread of its own.
//
//	host, err := starlark.New(starlark.Config{Access: sandbox.Access{Stdout: os.Stdout}})
//	defer host.Close()
//	globals, err := host.Run(ctx, "sum.star", []byte(`print(fiber.spawn(lambda: 6 * 7).join())`))
//
// Programs have the module fiber (docs/starlark.md), and json, math and time of the engine. A fiber executes at
// most Config.Runtime.Budget steps before the others get their turn. What fibers share is frozen: the arguments of
// a spawn, what is sent to a channel, results, and the globals of a function that is spawned. load reads files of
// Config.Access.Dirs; each is executed once.
//
// Starlark has no way to catch an error. So a fiber that fails, is cancelled, is killed or passes a quota unwinds,
// and the result of whatever may end without success, such as a wait with a timeout, is a value.
//
// Go code calls the functions of a program by Host.Call, or from another goroutine by Host.Start while Host.Serve
// runs; Host.Bind gives programs a Go function (package host/bind).
//
// The tables that it owns are the Host's: the modules by their files, and what each fiber executes. What this package
// never does: let two fibers change one value, or give a program more than its Config allows.
package starlark
