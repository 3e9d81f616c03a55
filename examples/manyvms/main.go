package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Limits of one guest.
const (
	maxFibers       = 100
	maxInstructions = 10_000
	maxTime         = time.Minute
)

var errInstructions = errors.New("its instructions are used up")

// guest is a machine, which runs one program. An instruction is a letter: f spawns a fiber for the
// rest of the program, s sleeps, < goes back to the beginning, and any other computes.
type guest struct {
	*scheduler.Scheduler[state]
	program string
	left    int // instructions
	stop    context.CancelCauseFunc
}

// state is the payload of a fiber.
type state struct {
	pc    int
	slept bool // the result of the sleep is not claimed yet
}

// Resume runs a fiber for a slice.
func (g *guest) Resume(_ *scheduler.Scheduler[state], f *scheduler.Fiber[state]) fiber.Outcome {
	st := &f.Data
	if st.slept {
		g.Claim() // nothing cancels the fibers of a guest but the end of its run, which kills them
		st.slept = false
	}
	for range g.Inspect().Budget() {
		if st.pc == len(g.program) {
			return fiber.Outcome{Kind: fiber.Done}
		}
		if g.left--; g.left < 0 {
			g.stop(errInstructions)
			break
		}
		st.pc++
		switch g.program[st.pc-1] {
		case 'f':
			if _, err := g.Spawn(state{pc: st.pc}); err != nil {
				return g.Unwind().Fail(err, fmt.Sprint("instruction ", st.pc))
			}
		case 's':
			st.slept = true
			return fiber.BlockOn(fiber.Until(g.Now().After(time.Hour)))
		case '<':
			st.pc = 0
		}
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

// run runs one guest until its main fiber ends, a limit is exceeded, or ctx ends.
func run(ctx context.Context, program string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, errors.New("its time is used up"))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	g := &guest{program: program, left: maxInstructions, stop: stop}
	g.Scheduler = scheduler.New[state](scheduler.Config{
		MaxFibers: maxFibers, // also bounds the memory: a slot for each
		MaxTimers: maxFibers,
		Budget:    1000, // instructions between two looks at the context and the clock
	})
	if _, err := g.SpawnWith(state{}, scheduler.Options{Main: true}); err != nil {
		return err
	}
	err := g.Run(ctx, g)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// runAll runs the guests on all cores and reports how many ended in which way.
func runAll(ctx context.Context, programs []string, out io.Writer) {
	ends := make([]string, len(programs))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				ends[i] = fmt.Sprintf("%-5s %v", programs[i], run(ctx, programs[i]))
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	workers.Wait()
	slices.Sort(ends)
	for len(ends) > 0 {
		same := slices.IndexFunc(append(ends, ""), func(end string) bool { return end != ends[0] })
		_, _ = fmt.Fprintf(out, "%4d %s\n", same, strings.TrimSpace(ends[0]))
		ends = ends[same:]
	}
}

// guests are 1,000 programs: good ones, and some that exceed a limit.
func guests() (programs []string) {
	for i := range 1000 {
		programs = append(programs, []string{"...", "f.f.", "fs..", "ss.s", ".<", "f<", "s<"}[i%7])
	}
	return programs
}

func main() { runAll(context.Background(), guests(), os.Stdout) }
