package fibers_test

import (
	"context"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/fibers"
)

type user struct{}

// A Go function of the embedder calls others with the context of the fiber that called it.
func ExampleHost_Context() {
	query := func(ctx context.Context, text string) { fmt.Println(ctx.Value(user{}), "asks", text) }
	host := fibers.New(fibers.Config{})
	defer host.Close()
	L := host.State().Base()
	L.SetGlobal("query", L.NewFunction(func(L *glua.LState) int {
		query(host.Context(), L.CheckString(1))
		return 0
	}))
	ctx := context.WithValue(context.Background(), user{}, "ada")
	_, err := host.Run(ctx, strings.NewReader(`fiber.spawn(function() query "the time" end):join()`), "ask.lua")
	fmt.Println(err)
	// Output:
	// ada asks the time
	// <nil>
}
