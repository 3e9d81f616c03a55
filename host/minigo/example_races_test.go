package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo"
)

const racy = `package main

var count int

func main() {
	done := make(chan bool)
	go func() {
		count++
		close(done)
	}()
	count++
	<-done
}
`

// The update of count by the goroutine is ordered neither before nor after that by main. The race is found
// although no update is lost in this run.
func ExampleCompileWatched() {
	program, err := minigo.CompileWatched(minigo.File{Name: "racy.go", Text: []byte(racy)})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := minigo.New(program, minigo.Config{Races: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()))
	// Output:
	// data race on count: no lock, channel or wait group orders these accesses
	// read of count by goroutine 2:
	// main.main.func1(...)
	// 	racy.go:8
	// earlier write of count by goroutine 1:
	// main.main(...)
	// 	racy.go:11
	// goroutine 2 was created by goroutine 1 at:
	// main.main(...)
	// 	racy.go:7
}

// The report has the stacks of both accesses.
func ExampleRaceError() {
	program, _ := minigo.CompileWatched(minigo.File{Name: "racy.go", Text: []byte(racy)})
	host, _ := minigo.New(program, minigo.Config{Races: true})
	err := host.Run(context.Background())
	var race *minigo.RaceError
	fmt.Println(errors.As(err, &race), strings.Count(race.Text, "racy.go:"))
	// Output: true 3
}
