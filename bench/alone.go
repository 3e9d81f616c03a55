package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// figureOf is the environment variable that makes this program measure one figure and print it.
const figureOf = "SELVAGE_BENCH_FIGURE_OF"

// figures are measured in a process of their own, because other rows leave a heap and goroutines
// behind in this one.
var figures = map[string]func(n int) time.Duration{
	"collection beside fibers":     collection(parkFibers),
	"collection beside goroutines": collection(parkGoroutines),
	"bytes of a fiber":             overhead,
	"megabytes of fibers":          megabytes,
	"megabytes of minigo":          guestMegabytes,
}

// alone measures the figure in such a process.
func alone(figure string) func(n int) time.Duration {
	return func(n int) time.Duration {
		self := mustGet(os.Executable())
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", figureOf, n, figure))
		cmd.Stderr = os.Stderr
		out := mustGet(cmd.Output())
		v := mustGet(strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64))
		return time.Duration(v)
	}
}

// actAlone is the main function of a process that alone has started.
func actAlone() bool {
	n, figure, found := strings.Cut(os.Getenv(figureOf), " ")
	if !found {
		return false
	}
	runtime.GOMAXPROCS(1)
	times := mustGet(strconv.Atoi(n))
	fmt.Println(int64(figures[figure](times)))
	return true
}
