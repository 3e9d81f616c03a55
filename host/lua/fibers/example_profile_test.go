//go:build !purego

package fibers_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/profile"
)

// With Steps a profile counts instructions in place of time, and is the same on any machine.
func ExampleConfig_profile() {
	p := profile.Start(profile.Config{Steps: 1})
	host := fibers.New(fibers.Config{Lua: lua.Config{Profile: p}})
	defer host.Close()
	_, err := host.Run(context.Background(), strings.NewReader(`local function square(n)
  return n * n
end
local sum = 0
for i = 1, 1000 do
  sum = sum + square(i)
end`), "squares.lua")
	if err != nil {
		fmt.Println(err)
	}
	p.Stop()
	for _, s := range p.Copy().Sample[:3] {
		at := s.Location[0].Line[0]
		fmt.Println(at.Function.Name, "line", at.Line, "steps", s.Value[1])
	}
	// Output:
	// main chunk line 6 steps 3000
	// square line 2 steps 2000
	// main chunk line 5 steps 1005
}
