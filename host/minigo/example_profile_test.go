package minigo_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
)

const squares = `package main

func square(n int) int { return n * n }

func main() {
	sum := 0
	for i := range 1000 {
		sum += square(i)
	}
}
`

// With Steps a profile counts calls and jumps back in place of time, and is the same on any machine.
func ExampleConfig_profile() {
	program, _ := minigo.Compile(minigo.File{Name: "squares.go", Text: []byte(squares)})
	p := profile.Start(profile.Config{Steps: 1})
	host, err := minigo.New(program, minigo.Config{Profile: p})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	if err := host.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	p.Stop()
	for _, s := range p.Copy().Sample {
		at := s.Location[0].Line[0]
		fmt.Println(at.Function.Name, "line", at.Line, "steps", s.Value[1])
	}
	// Output:
	// main.main line 8 steps 1000
	// main.main line 7 steps 999
	// main.init.0 line 0 steps 1
}
