package minigo_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

// TestAMillionParkedGoroutinesTakeLessThanAGigabyte measures a hundred thousand.
func TestAMillionParkedGoroutinesTakeLessThanAGigabyte(t *testing.T) {
	const goroutines = 100_000
	program, err := minigo.Compile(minigo.File{Name: "x.go", Text: []byte(`package main

import "fmt"

func main() {
	fmt.Println("empty")
	gate, done := make(chan bool), make(chan int)
	for i := range 100_000 {
		go func() {
			<-gate
			done <- i
		}()
	}
	go func() { done <- 0 }()
	<-done
	fmt.Println("parked")
	close(gate)
}
`)})
	require.NoError(t, err)
	var used []uint64
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: writerFunc(func() { used = append(used, heap()) })}})
	require.NoError(t, err)
	require.NoError(t, host.Run(t.Context()))
	require.Len(t, used, 2)
	each := (used[1] - used[0]) / goroutines
	t.Logf("%d bytes for each parked goroutine", each)
	require.Less(t, each, uint64(1000))
}

// heap is what lives on the host's heap.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
