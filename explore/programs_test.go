package explore_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// program is a list of acts for each fiber. They use two of each object.
type program [][]act

// act is a word and a number.
type act struct {
	do string
	n  int
}

func (a act) String() string { return fmt.Sprint(a.do, a.n) }

// words are the acts that a random program can have.
var words = []string{
	"send", "recv", "trysend", "close", "lock", "unlock", "trylock", "acquire", "release",
	"rlock", "runlock", "wlock", "wunlock", "wait", "signal", "once", "select", "yield", "sleep", "timeout", "timer", "spawn",
	"join", "cancel",
}

// programs are small enough for all of their schedules to be run.
func programs() *rapid.Generator[program] {
	return rapid.Custom(func(t *rapid.T) program {
		p, left := program{}, 6
		pick := rapid.SampledFrom(rapid.SliceOfNDistinct(rapid.SampledFrom(words), 2, 5, rapid.ID[string]).Draw(t, "words"))
		for range rapid.IntRange(2, 3).Draw(t, "fibers") {
			var acts []act
			for range rapid.IntRange(1, min(3, left-1)).Draw(t, "acts") {
				acts = append(acts, act{pick.Draw(t, "do"), rapid.IntRange(0, 1).Draw(t, "n")})
			}
			left -= len(acts) - 1
			p = append(p, acts)
		}
		return p
	})
}

// world is what the fibers of one run of a program share.
type world struct {
	rt     *stackful.Runtime
	chans  [2]*wait.Chan[int]
	locks  [2]*wait.Mutex
	rw     [2]*wait.RWMutex
	sems   [2]*wait.Semaphore
	conds  [2]*wait.Cond
	onces  [2]*wait.Once
	timers [2]*wait.Timer
	tasks  []*stackful.Task
	logs   [][]string // what each fiber has seen
}

func (p program) start(rt *stackful.Runtime) { p.on(rt) }

func (p program) on(rt *stackful.Runtime) *world {
	w := &world{rt: rt, logs: make([][]string, len(p))}
	for i := range 2 {
		w.chans[i], w.locks[i] = wait.NewChan[int](i), wait.NewMutex(wait.HandOver)
		w.rw[i], w.sems[i] = wait.NewRWMutex(wait.HandOver), wait.NewSemaphore(int64(i+1))
		w.conds[i], w.onces[i], w.timers[i] = wait.NewCond(w.locks[i]), new(wait.Once), new(wait.Timer)
	}
	for i, acts := range p {
		task, err := rt.Go(fmt.Sprint(i), func(f *stackful.Fiber) (any, error) {
			for _, a := range acts {
				seen, err := w.perform(f, a)
				if why := context.Cause(f.Context()); why == nil || errors.Is(why, errLost) { // a deadlock is the end: what a killed fiber does then is not explored
					w.logs[i] = append(w.logs[i], fmt.Sprint(seen, err != nil))
				}
				if err != nil {
					return nil, nil // such as a closed channel: not what is looked for
				}
			}
			return nil, nil
		})
		if err != nil {
			panic(err)
		}
		w.tasks = append(w.tasks, task)
	}
	return w
}

// perform carries out one act, and returns what the fiber has seen by it.
func (w *world) perform(f *stackful.Fiber, a act) (seen any, err error) {
	switch n := a.n; a.do {
	case "send":
		return nil, stackful.Send(f, w.chans[n], int(f.ID().Index()))
	case "recv":
		v, ok, err := stackful.Recv(f, w.chans[n])
		return fmt.Sprint(v, ok), err
	case "trysend":
		return stackful.TrySend(f, w.chans[n], int(f.ID().Index()))
	case "close":
		return nil, stackful.Close(f, w.chans[n])
	case "lock":
		return nil, f.Lock(w.locks[n])
	case "unlock":
		return nil, f.Unlock(w.locks[n])
	case "trylock":
		return f.TryLock(w.locks[n])
	case "acquire":
		return nil, f.Acquire(w.sems[n], 1)
	case "release":
		return nil, f.Release(w.sems[n], 1)
	case "rlock":
		return nil, f.RLock(w.rw[n])
	case "runlock":
		return nil, f.RUnlock(w.rw[n])
	case "wlock":
		return nil, f.Lock(w.rw[n])
	case "wunlock":
		return nil, f.Unlock(w.rw[n])
	case "wait":
		return nil, f.Wait(w.conds[n])
	case "signal":
		return nil, f.Signal(w.conds[n])
	}
	return w.more(f, a)
}

func (w *world) more(f *stackful.Fiber, a act) (seen any, err error) {
	switch n := a.n; a.do {
	case "once":
		ran := false
		err = f.Do(w.onces[n], func() error { ran = true; return f.Yield() })
		return ran, err
	case "select":
		return f.Select(wait.NewSelect(wait.RecvFrom(w.chans[0]), wait.SendTo(w.chans[1], 2)))
	case "yield":
		return nil, f.Yield()
	case "sleep":
		return nil, f.Sleep(time.Duration(1+n) * time.Second)
	case "timeout":
		v, ok, err := stackful.RecvUntil(f, w.chans[n], f.Within(time.Second))
		return fmt.Sprint(v, ok, err != nil), nil
	case "timer":
		if n == 0 {
			return f.ResetTimer(w.timers[0], f.Within(time.Second))
		}
		return nil, f.WaitTimer(w.timers[0])
	case "spawn":
		_, err = w.rt.Go("", func(f *stackful.Fiber) (any, error) {
			_, _ = w.perform(f, act{"recv", n}) // the order in which these fibers end is not compared, nor what they see
			return nil, nil
		})
		return nil, err
	case "join":
		_, err = f.Join(w.tasks[n])
		return err != nil, nil
	case "cancel":
		return nil, f.Cancel(w.tasks[n], errLost)
	}
	panic("no such act: " + a.do)
}
