package profile_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/profile"
)

const program = `local function double(n) return n * 2 end
local sum = 0
for i = 1, 100 do
  sum = sum + double(i)
end`

// A profile of steps is the same on any machine, as here; without Steps it has the CPU time. Engines get it by
// their Config.
func ExampleProfile() {
	p := profile.Start(profile.Config{Steps: 1})
	host := fibers.New(fibers.Config{Lua: lua.Config{Profile: p}})
	defer host.Close()
	if _, err := host.Run(context.Background(), strings.NewReader(program), "sum.lua"); err != nil {
		fmt.Println(err)
	}
	p.Stop()
	var file bytes.Buffer // or an os.File, for go tool pprof
	if err := p.Write(&file); err != nil {
		fmt.Println(err)
	}
	show(&file)
	// Output:
	// double                   200 steps
	// main chunk               408 steps
}

// show prints the steps of each function itself.
func show(file *bytes.Buffer) {
	read, err := pprof.Parse(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	own := map[string]int64{}
	for _, s := range read.Sample {
		own[s.Location[0].Line[0].Function.Name] += s.Value[1]
	}
	for _, name := range []string{"double", "main chunk"} {
		fmt.Printf("%-20s %7d steps\n", name, own[name])
	}
}

// An engine has a Sampler for each scheduler.
func ExampleSampler() {
	p := profile.Start(profile.Config{Interval: -1}) // this program says when time passes
	defer p.Stop()
	s := p.NewSampler()
	defer s.Close()

	s.Begin() // a fiber executes
	p.Advance(time.Millisecond)
	if s.Due() { // asked after each instruction, say
		s.Take(profile.Fiber{ID: "f1.1", Name: "worker"}, []profile.Frame{
			{Function: "add", File: "sum.toy", Line: 7, Start: 5},
			{Function: "main", File: "sum.toy", Line: 12, Start: 10},
		})
	}
	s.End() // none does: time that passes now counts to no fiber
	p.Advance(time.Hour)

	for _, sample := range p.Copy().Sample {
		leaf := sample.Location[0].Line[0]
		fmt.Println(leaf.Function.Name, leaf.Line, sample.Label["name"], time.Duration(sample.Value[1]))
	}
	// Output:
	// add 7 [worker] 1ms
}
