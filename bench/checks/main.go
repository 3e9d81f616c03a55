package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

func main() {
	fibers, n := number(1), number(2)
	s := scheduler.New[uint64](scheduler.Config{})
	for range fibers {
		if _, err := s.Spawn(0); err != nil {
			panic(err)
		}
	}
	yields(s, n/10)
	start := time.Now()
	yields(s, n)
	fmt.Println(time.Since(start).Nanoseconds())
}

func yields(s *scheduler.Scheduler[uint64], n int) {
	for i := 0; i < n; {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			f.Data++
			s.YieldCurrent()
			i++
		}
		s.Poll()
	}
}

func number(arg int) int {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: checks FIBERS TIMES")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[arg])
	if err != nil || n < 1 {
		fmt.Fprintf(os.Stderr, "checks: %q is no number of fibers or times; give one of 1 or more\n", os.Args[arg])
		os.Exit(2)
	}
	return n
}
