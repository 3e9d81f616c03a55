package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The worker waits for good if it begins after the last of the signals: main has to come through its whole loop
// before the worker runs.
const lateWaiter = `package main

import (
	"sync"
	"time"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		c.Wait()
		mu.Unlock()
	}()
	go func() {
		for range 1000 {
			time.Sleep(time.Nanosecond)
		}
	}()
	for range 20_000 {
		c.Signal()
	}
}
`

// The numbers of a program that seeds nothing are different in each run of Go.
const unlucky = `package main

import "math/rand"

func main() {
	if rand.Intn(8) == 5 {
		panic("5")
	}
}
`

func TestAWaitAfterALongLoopIsFound(t *testing.T) {
	files{"p.go": lateWaiter}.write(t)
	e := selvage(t, "explore", "p.go")
	e.want(t, statusFinding)
	require.Contains(t, e.out, "leak")
}

func TestRandomNumbersOfGoProgramsAreExplored(t *testing.T) {
	files{"p.go": unlucky}.write(t)
	for _, strategy := range []string{"mixed", "random", "pct", "dfs", "dpor"} {
		selvage(t, "explore", "--strategy", strategy, "p.go").want(t, statusFinding)
	}
}
