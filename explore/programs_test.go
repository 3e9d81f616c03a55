package explore_test

import (
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
}

func (p program) start(rt *stackful.Runtime) {
	w := &world{rt: rt}
	for i := range 2 {
		w.chans[i], w.locks[i] = wait.NewChan[int](i), wait.NewMutex(wait.HandOver)
		w.rw[i], w.sems[i] = wait.NewRWMutex(wait.HandOver), wait.NewSemaphore(int64(i+1))
		w.conds[i], w.onces[i], w.timers[i] = wait.NewCond(w.locks[i]), new(wait.Once), new(wait.Timer)
	}
	for i, acts := range p {

		task, _ := rt.Go(fmt.Sprint(i), func(f *stackful.Fiber) (any, error) {
			for _, a := range acts {
				if err := w.perform(f, a); err != nil {
					return nil, nil // such as a closed channel: not what is looked for
				}
			}
			return nil, nil
		})
		w.tasks = append(w.tasks, task)
	}
}

// perform carries out one act.
func (w *world) perform(f *stackful.Fiber, a act) (err error) {
	switch n := a.n; a.do {
	case "send":
		return stackful.Send(f, w.chans[n], 1)
	case "recv":
		_, _, err = stackful.Recv(f, w.chans[n])
	case "trysend":
		_, err = stackful.TrySend(f, w.chans[n], 1)
	case "close":
		return stackful.Close(f, w.chans[n])
	case "lock":
		return f.Lock(w.locks[n])
	case "unlock":
		return f.Unlock(w.locks[n])
	case "trylock":
		_, err = f.TryLock(w.locks[n])
	case "acquire":
		return f.Acquire(w.sems[n], 1)
	case "release":
		return f.Release(w.sems[n], 1)
	case "rlock":
		return f.RLock(w.rw[n])
	case "runlock":
		return f.RUnlock(w.rw[n])
	case "wlock":
		return f.Lock(w.rw[n])
	case "wunlock":
		return f.Unlock(w.rw[n])
	case "wait":
		return f.Wait(w.conds[n])
	case "signal":
		return f.Signal(w.conds[n])
	case "once":
		return f.Do(w.onces[n], f.Yield)
	default:
		return w.more(f, a)
	}
	return err
}

func (w *world) more(f *stackful.Fiber, a act) (err error) {
	switch n := a.n; a.do {
	case "select":
		_, err = f.Select(wait.NewSelect(wait.RecvFrom(w.chans[0]), wait.SendTo(w.chans[1], 2)))
	case "yield":
		return f.Yield()
	case "sleep":
		return f.Sleep(time.Duration(1+n) * time.Second)
	case "timeout":
		_, _, _ = stackful.RecvUntil(f, w.chans[n], f.Within(time.Second))
	case "timer":
		if n == 0 {
			_, err = f.ResetTimer(w.timers[0], f.Within(time.Second))
			return err
		}
		return f.WaitTimer(w.timers[0])
	case "spawn":
		_, _ = w.rt.Go("", func(f *stackful.Fiber) (any, error) {
			return nil, w.perform(f, act{"send", n})
		})
	case "join":
		_, _ = f.Join(w.tasks[n])
	case "cancel":
		return f.Cancel(w.tasks[n], errLost)
	default:
		panic("no such act: " + a.do)
	}
	return err
}
