package trampoline_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Random programs of calls, waits, panics, recovers and kills: no trampoline is leaked, no
// panic is lost, every fiber ends, and the whole location table holds after each.
func TestRandomProgramsOfCallsLoseNoPanicAndLeakNoTrampoline(t *testing.T) {
	programs := long.Cases(20_000, 80_000)
	if invariants.On {
		programs /= 10 // each with a look at the whole table after every transition
	}
	modes := []stackful.Config{
		{}, {Nesting: true},
		{Backing: stackful.Goroutine}, {Backing: stackful.Goroutine, Nesting: true},
	}
	for _, cfg := range modes {
		t.Run(fmt.Sprintf("%v, nesting %v", cfg.Backing, cfg.Nesting), func(t *testing.T) {
			cfg.Config = scheduler.Config{MaxNesting: 3, MaxTrampolines: 8}
			total := new(tally)
			for played := 0; played < programs/len(modes) && !t.Failed(); played += batch {
				playBatch(t, cfg, uint64(played), total)
			}
			if !total.mixed() {
				t.Errorf("the programs are of no use: %+v", *total)
			}
		})
	}
}

// batch is how many programs one runtime plays, so that everything pooled is used again.
const batch = 50

func playBatch(t *testing.T, cfg stackful.Config, seed uint64, total *tally) {
	rt := stackful.New(cfg)
	defer rt.Close()
	for i := range uint64(batch) {
		s := &storm{Runtime: rt, tally: total, rng: rand.New(rand.NewPCG(seed, i)), panics: map[int]string{}}
		s.play()
		if s.wrong != "" {
			t.Errorf("program %d of seed %d: %s", i, seed, s.wrong)
			return
		}
	}
}

// tally counts what happened, to tell that the programs do what they are for.
type tally struct{ calls, raised, recovered, fatal, killed, refused, deadlocks int }

func (n tally) mixed() bool {
	return min(n.calls, n.raised, n.recovered, n.fatal+n.deadlocks, n.killed, n.refused) > 0
}

// storm is one program: what its fibers do is drawn as they go.
type storm struct {
	*stackful.Runtime
	*tally
	rng    *rand.Rand
	chans  [2]*wait.Chan[int]
	lock   *wait.Mutex
	tasks  []*stackful.Task
	panics map[int]string // of this program, by value: what became of each
	wrong  string
}

func (s *storm) play() {
	s.chans = [2]*wait.Chan[int]{wait.NewChan[int](0), wait.NewChan[int](1)}
	s.lock = wait.NewMutex(wait.HandOver)
	for range 2 + s.rng.IntN(3) {
		task, err := s.Go("", func(f *stackful.Fiber) (any, error) { return nil, s.act(f, 0) })
		s.must(err)
		s.tasks = append(s.tasks, task)
	}
	if err := s.Run(context.Background()); err != nil {
		s.deadlocks++
		s.Scheduler().Steps().KillAll(nil)
		s.must(s.Run(context.Background()))
	}
	s.settle()
}

func (s *storm) must(err error) {
	if err != nil && s.wrong == "" {
		s.wrong = err.Error()
	}
}

func (s *storm) settle() {
	sched := s.Scheduler()
	sched.Inspect().Verify()
	if c := sched.Inspect().Counts(); sched.Inspect().Live() != 0 || sched.Inspect().LiveTrampolines() != 0 || c.Spawned != c.Ended {
		s.must(fmt.Errorf("%d fibers and %d calls are left; %+v", sched.Inspect().Live(), sched.Inspect().LiveTrampolines(), c))
	}
	for _, task := range s.tasks {
		_, err, _ := task.Result()
		var p *scheduler.PanicError
		if errors.As(err, &p) && p.Stack != nil { // a panic of Go code, not of a deadlock
			s.ends(p.Value, "ended its fiber")
		}
		var inversion *scheduler.StackInversionError
		var deadlock *scheduler.DeadlockError
		switch {
		case errors.As(err, &inversion), errors.As(err, &deadlock):
			s.fatal++
		case errors.Is(err, scheduler.ErrKilled):
			s.killed++
		}
	}
	for v, fate := range s.panics {
		if fate == "" {
			s.must(fmt.Errorf("panic %d is lost", v))
		}
	}
}

// ends notes what became of a panic. Each ends once.
func (s *storm) ends(v any, how string) {
	n, ours := v.(int)
	if fate, raised := s.panics[n]; !ours || !raised || fate != "" {
		s.must(fmt.Errorf("panic %v %s, and %q before", v, how, fate))
		return
	}
	s.panics[n] = how
}

// act does a few things at some depth of calls. Its error is that of an interrupt.
func (s *storm) act(f *stackful.Fiber, depth int) error {
	for range 1 + s.rng.IntN(4) {
		err := s.do(f, depth)
		if f.Stopped(err) != nil {
			return err
		}
	}
	return nil
}

func (s *storm) do(f *stackful.Fiber, depth int) error {
	victim := s.tasks[s.rng.IntN(len(s.tasks))]
	switch s.rng.IntN(16) {
	case 0, 1, 2, 3:
		return s.call(f, depth)
	case 4:
		return f.Yield()
	case 5:
		return f.Sleep(time.Duration(s.rng.IntN(5)))
	case 6, 7:
		return stackful.SendUntil(f, s.chans[s.rng.IntN(2)], 1, s.deadline(f))
	case 8, 9:
		_, _, err := stackful.RecvUntil(f, s.chans[s.rng.IntN(2)], s.deadline(f))
		return err
	case 10:
		return s.hold(f)
	case 11:
		_, err := f.JoinUntil(victim, s.deadline(f))
		return err
	case 12:
		s.raised++
		n := len(s.panics)
		s.panics[n] = ""
		panic(n)
	case 13:
		return s.deferred(f, depth)
	case 14:
		if s.rng.IntN(3) == 0 {
			return s.Scheduler().Kill(victim.ID(), nil)
		}
		return s.Scheduler().Cancel(victim.ID(), nil)
	}
	if s.rng.IntN(8) == 0 {
		runtime.Goexit()
	}
	return f.Checkpoint()
}

// deadline is mostly soon, and sometimes never.
func (s *storm) deadline(f *stackful.Fiber) fiber.Time {
	if s.rng.IntN(6) == 0 {
		return fiber.Never
	}
	return f.Within(time.Duration(s.rng.IntN(6)))
}

func (s *storm) call(f *stackful.Fiber, depth int) error {
	if s.rng.IntN(2) == 0 {
		defer func() {
			if v := recover(); v != nil {
				s.recovered++
				s.ends(v, "was recovered")
			}
		}()
	}
	s.calls++
	_, err := f.Call(func(f *stackful.Fiber) (any, error) {
		if depth >= 6 {
			return nil, f.Yield()
		}
		return nil, s.act(f, depth+1)
	})
	if errors.Is(err, scheduler.ErrTooDeep) || errors.Is(err, scheduler.ErrTooManyTrampolines) {
		s.refused++
	}
	return err
}

// deferred acts, and waits in a deferred call whatever happens meanwhile (I6).
func (s *storm) deferred(f *stackful.Fiber, depth int) error {
	defer func() { _ = f.Sleep(time.Duration(s.rng.IntN(3))) }()
	if depth >= 6 {
		return nil
	}
	return s.act(f, depth+1)
}

func (s *storm) hold(f *stackful.Fiber) error {
	if err := f.LockUntil(s.lock, s.deadline(f)); err != nil {
		return err
	}
	defer f.Unlock(s.lock)
	return f.Sleep(time.Duration(s.rng.IntN(3)))
}
