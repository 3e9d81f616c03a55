package fibers_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
)

// The fibers of both guests take turns on this goroutine. The exit of one ends that one only.
func ExampleShared() {
	shared := fibers.NewShared(fibers.SharedConfig{})
	defer shared.Close()
	for _, source := range []string{
		`for i = 1, 3 do print("a", i) fiber.sleep(1) end`,
		`for i = 1, 2 do print("b", i) fiber.sleep(1) end os.exit(2)`,
	} {
		host := fibers.New(fibers.Config{On: shared, Access: sandbox.Access{Stdout: os.Stdout}})
		defer host.Close()
		program, err := fibers.Compile(strings.NewReader(source), "guest.lua")
		if err != nil {
			panic(err)
		}
		if _, err := host.Start(program); err != nil {
			panic(err)
		}
	}
	fmt.Println(shared.Run(context.Background()))
	// Output:
	// a	1
	// b	1
	// a	2
	// b	2
	// a	3
	// <nil>
}
