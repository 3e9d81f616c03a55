package explore

import (
	"context"
	"errors"
	"fmt"
)

// Options configure a search.
type Options struct {
	// Strategy decides which schedules are run; nil is Random(1).
	Strategy Strategy
	// Runs is the most runs, without those of the minimization; 0 is 1,000.
	Runs int
	// Program is the Hash of the program, which its schedules contain; 0 is none.
	Program uint32
	// Mode is how the program is watched, which its schedules contain.
	Mode Mode
	// SameOutput makes a run whose output differs from that of the first run a finding.
	SameOutput bool
	// Ignore are kinds that are no findings, such as Leak.
	Ignore []Kind
	// MinimizeRuns is the most runs of the minimization, a long one counting as several; 0 is 2,000,
	// below 0 is none.
	MinimizeRuns int
	// Jobs is how many workers run schedules at the same time, each on a goroutine of its own; 0 is 1. The
	// program must allow that. Random, PCT and Mixed divide their runs; the depth-first part of Mixed and the
	// other strategies stay on one worker. SameOutput then compares with the first run of the same worker.
	Jobs int
	// Progress is called after each run, by one worker at a time; nil is not called.
	Progress func(Progress)
}

// Result is what a search has found.
type Result struct {
	// Finding is the first schedule that breaks the program, or nil.
	Finding *Finding
	// Runs is how many schedules were run.
	Runs int
	// Complete says what was covered, such as "all schedules"; "" if runs are left.
	Complete string
}

// Defaults of Options.
const (
	defaultRuns         = 1000
	defaultMinimizeRuns = 2000
)

// NondeterministicError says that one schedule was run twice with different results: the program reads
// something that the scheduler does not control.
type NondeterministicError struct {
	Schedule Schedule
	What     string // what differed
}

// Error says what differed.
func (e *NondeterministicError) Error() string {
	return fmt.Sprintf("explore: two runs of the schedule %s differ: %s. The program depends on something that the scheduler does not control, such as the wall clock, the network, the address of an object or the order of a Go map", e.Schedule, e.What)
}

// Search runs a program under the schedules of a strategy until one breaks it, all were run, Runs is
// reached or ctx ends. What it found by then is the Result; the end of ctx is no error. The finding
// is minimized, and run twice to show that it can be repeated. Errors: *NondeterministicError, and
// those of the program.
func Search(ctx context.Context, p Program, o Options) (Result, error) {
	if o.Strategy == nil {
		o.Strategy = Random(1)
	}
	if o.Runs <= 0 {
		o.Runs = defaultRuns
	}
	if o.MinimizeRuns == 0 {
		o.MinimizeRuns = defaultMinimizeRuns
	}
	s := &search{ctx: ctx, program: p, o: o, number: 1, step: 1, tally: &tally{last: o.Runs, endings: map[uint64]bool{}}}
	return s.run()
}

// errInterrupted ends a run in which the context of the search has ended: it says nothing about the program.
var errInterrupted = errors.New("explore: interrupted")

// search is one call of Search, or the share of one of its workers.
type search struct {
	*tally
	ctx      context.Context
	program  Program
	o        Options
	number   int     // of the next run
	step     int     // from one run to the next
	first    *string // the output of the first run
	complete bool    // the strategy has run all it covers
}

func (s *search) run() (r Result, err error) {
	shares := s.shares()
	first := parallel(shares)
	r.Runs = s.runs
	if first == nil {
		if len(shares) == 1 && shares[0].complete {
			r.Complete = s.o.Strategy.Complete()
		}
		return r, nil
	}
	if first.err != nil {
		return r, first.err
	}
	f, err := first.search.minimize(first.answers, first.ending)
	if errors.Is(err, errInterrupted) {
		return r, nil
	}
	if err == nil {
		f.Run, r.Finding = first.number, f
	}
	return r, err
}

// hunt makes the runs of one share until one is a breakage.
func (s *search) hunt() *breakage {
	for ; s.begins(s.number) && s.ctx.Err() == nil; s.number += s.step {
		if !s.o.Strategy.Begin() {
			s.complete = true
			return nil
		}
		rec := &recorder{choose: s.o.Strategy.Choose}
		if f, follows := s.o.Strategy.(follower); follows {
			rec.steps = f.follow()
		}
		ending, err := s.once(rec)
		if errors.Is(err, errInterrupted) {
			return nil
		}
		if err == nil {
			s.count(ending)
		}
		if err != nil || ending.Kind != Passed {
			s.ended(s.number)
			return &breakage{s.number, rec.answers, ending, err, s}
		}
	}
	return nil
}

// schedule is that of a run.
func (s *search) schedule(answers []int) Schedule {
	of := scheduleOf(s.o.Program, answers)
	of.mode = s.o.Mode
	return of
}

// once runs the program once.
func (s *search) once(rec *recorder) (Ending, error) {
	ending, err := s.program(&Decisions{ctx: s.ctx, choose: rec.answer, steps: rec.steps, shown: rec.shown})
	if err == nil && s.ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil {
		return ending, err
	}
	for _, k := range s.o.Ignore {
		if ending.Kind == k {
			ending.Kind = Passed
		}
	}
	if s.first == nil {
		s.first = &ending.Output
	}
	if s.o.SameOutput && ending.Kind == Passed && ending.Output != *s.first {
		ending.Kind, ending.Text = Different, fmt.Sprintf("the output is %q; in the first run it was %q", ending.Output, *s.first)
	}
	return ending, nil
}

// Run runs a program under one schedule. If ctx ends meanwhile, its error is returned.
func Run(ctx context.Context, p Program, schedule Schedule) (Ending, error) {
	r := Replay(schedule)
	r.Begin()
	ending, err := p(&Decisions{ctx: ctx, choose: r.Choose, shown: true})
	if err == nil {
		err = ctx.Err()
	}
	return ending, err
}

// again runs answers again and returns the ending with the answers in the form in which they were used.
func (s *search) again(answers []int) (Ending, *recorder, error) {
	rec := &recorder{choose: Replay(scheduleOf(0, answers)).Choose}
	ending, err := s.once(rec)
	return ending, rec, err
}
