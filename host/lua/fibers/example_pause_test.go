package fibers_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/selvage-dev/selvage/host/lua/fibers"
)

// A guest is paused, may use a million steps a second from then on, and is resumed.
func ExampleHost_Pause() {
	ctx := context.Background()
	host := fibers.New(fibers.Config{})
	defer host.Close()
	if err := host.Pause(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(host.Group().Paused())
	host.Group().SetRate(1e6)
	fmt.Println(host.Resume(ctx), host.Group().Paused())
	// Output:
	// true
	// <nil> false
}

// ExampleHost_Resume is that of Pause.
func ExampleHost_Resume() {
	ctx := context.Background()
	host := fibers.New(fibers.Config{})
	defer host.Close()
	fmt.Println(host.Resume(ctx)) // it was not paused
	// Output: <nil>
}

// The Group of a Host counts and limits all of its fibers.
func ExampleHost_Group() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	host.Group().SetWeight(3)
	fmt.Println(host.Group().Spent().Fibers)
	// Output: 0
}

// A Host that is shut down finishes its calls and takes no new ones.
func ExampleHost_Shutdown() {
	ctx := context.Background()
	host := fibers.New(fibers.Config{})
	defer host.Close()
	fmt.Println(host.Shutdown(ctx))
	_, err := host.Run(ctx, strings.NewReader("return 1"), "late.lua")
	fmt.Println(err)
	// Output:
	// <nil>
	// scheduler: stopped
}
