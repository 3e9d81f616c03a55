package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// settings are how a program is run.
type settings struct {
	nest, virtual bool
	slice         int // instructions
	args          []string
	out, log      io.Writer
}

// run runs the program until its main fiber ends. The error is why that failed, or why no fiber can
// run any more.
func (m *machine) run(ctx context.Context) error {
	defer m.native.Close()
	pool, err := blocking.New(&m.Core, blocking.Config{})
	if err != nil {
		return err
	}
	m.pool = pool
	defer m.closePool(ctx)
	if _, err := m.start(m.program.main, true); err != nil {
		return err
	}
	return m.Run(ctx, m.native)
}

func newMachine(p *program, s settings) *machine {
	m := &machine{program: p, args: s.args, nest: s.nest, out: s.out, slice: s.slice, left: s.slice}
	cfg := scheduler.Config{
		Site: func(id fiber.RegularID) string {
			f, _ := m.Fiber(id)
			return f.Data.site()
		},
		Unobserved: func(err *scheduler.UnobservedError) { _, _ = fmt.Fprintln(s.log, err) },
	}
	if !s.virtual {
		cfg.Clock = wallclock.New()
	}
	m.Scheduler = scheduler.New[*code](cfg)
	m.native = parking.New(m.Scheduler, m)
	return m
}

// closePool ends the requests that no fiber waits for any more.
func (m *machine) closePool(ctx context.Context) {
	ctx, end := context.WithCancel(ctx)
	end()
	_ = m.pool.Close(ctx) // one that does not end at once ends with the process
}

func main() {
	s := settings{slice: 1000, out: os.Stdout, log: os.Stderr}
	flag.BoolVar(&s.nest, "nest", false, "nest native calls instead of parking their stacks")
	flag.BoolVar(&s.virtual, "virtual", false, "let time jump over every wait")
	flag.Usage = func() {
		_, _ = fmt.Fprintln(flag.CommandLine.Output(), "usage: stackvm [--nest] [--virtual] FILE [ARGUMENT ...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "stackvm: no program: name a file")
		flag.Usage()
		os.Exit(2)
	}
	s.args = flag.Args()[1:]
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := runFile(ctx, flag.Arg(0), s)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runFile(ctx context.Context, file string, s settings) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p, err := compile(filepath.Base(file), string(text))
	if err != nil {
		return err
	}
	if err = newMachine(p, s).run(ctx); errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return context.Cause(ctx) // the signal
	}
	return err
}
