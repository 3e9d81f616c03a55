package stackful

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// fate is what became of a value, by the result of its send.
type fate uint8

const (
	accepted fate = iota + 1
	refused       // closed, timed out, cancelled: no fiber may see it
	unknown       // its sender was killed while it sent
)

// world runs one program and keeps the books that the properties are about.
type world struct {
	*Runtime
	program
	clock *scheduler.VirtualClock
	chans []*wait.Chan[int]
	locks []*wait.Mutex
	tasks []*Task
	shared

	log      []string
	wrong    []string // what was found wrong; a fiber cannot end the test itself
	values   int
	sent     map[int]fate
	seen     map[int]int // how often a value was received, lost or left over
	holder   []int       // of each lock: the fiber whose Lock has returned nil, or -1
	cancels  []int       // errors for a cancel that each fiber got
	losses   uint64      // calls of Config.Lost
	finished []string    // how each fiber ended, as it knows itself
}

func newWorld(p program, b Backing) *world {
	w := &world{program: p, clock: scheduler.NewVirtualClock(), sent: map[int]fate{}, seen: map[int]int{}}
	w.Runtime = New(Config{Backing: b, Config: scheduler.Config{
		Seed: p.seed, Grace: p.grace, Clock: w.clock, Lost: func(fiber.Ticket) { w.losses++ },
	}})
	for _, capacity := range p.caps {
		ch := wait.NewChan[int](capacity)
		ch.OnLost(func(v int) { w.see(v, "lost") })
		w.chans = append(w.chans, ch)
	}
	for _, policy := range p.policies {
		w.locks = append(w.locks, wait.NewMutex(policy))
		w.holder = append(w.holder, -1)
	}
	w.shared = newShared(p, w.locks)
	w.cancels = make([]int, len(p.actors))
	w.finished = make([]string, len(p.actors))
	for n := range p.actors {
		w.finished[n] = "never ran"
		a := &actor{world: w, n: n}
		task, err := w.Go(fmt.Sprint("fiber ", n), a.run)
		w.mustNot(err)
		w.tasks = append(w.tasks, task)
	}
	return w
}

func (w *world) trace(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *world) complain(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *world) mustNot(err error) {
	if err != nil {
		w.complain("unexpected: %v", err)
	}
}

func (w *world) see(v int, how string) {
	w.trace("value %d: %s", v, how)
	w.seen[v]++
}

// play is the host's loop: every slice is followed by a look at the whole table.
func (w *world) play() {
	for slice := 0; ; {
		for slot := w.sched.ScheduleNext(); slot != nil; slot = w.sched.ScheduleNext() {
			for w.sched.Finish(w.Resume(w.sched, slot)) {
			}
			w.strike(slice)
			w.check()
			slice++
		}
		if w.sched.Poll() {
			continue
		}
		switch v := w.sched.Steps().IdleVerdictWithReport(); v.Kind {
		case scheduler.Done:
			return
		case scheduler.Waiting:
			w.clock.Advance(v.Until)
		case scheduler.Deadlock:
			w.trace("deadlock:\n%v", v.Report)
			w.sched.Steps().KillAll(nil)
		}
	}
}

func (w *world) strike(slice int) {
	for _, e := range w.outside {
		switch victim := w.tasks[e.victim].ID(); {
		case e.slice != slice:
		case e.kill:
			w.trace("outside: kill %d: %v", e.victim, w.sched.Kill(victim, nil))
		default:
			w.trace("outside: cancel %d: %v", e.victim, w.sched.Cancel(victim, nil))
		}
	}
}

// check is what holds between any two slices.
func (w *world) check() {
	w.sched.Inspect().Verify()
	for i, ch := range w.chans {
		receivers, senders := ch.Waiting()
		if receivers > 0 && ch.Len() > 0 || senders > 0 && ch.Len() < ch.Cap() || ch.Closed() && receivers+senders > 0 {
			w.complain("channel %d could go on: %s", i, ch.Source().(fiber.Described).Describe())
		}
	}
	for i, m := range w.locks {
		if m.Owner() != 0 && w.sched.Inspect().State(m.Owner()) == fiber.Dead {
			w.complain("lock %d has a dead owner", i)
		}
		if m.Waiting() > 0 && m.Owner() == 0 {
			w.complain("lock %d is free and waited for", i)
		}
	}
	w.checkShared()
}

// settle closes the books when every fiber is dead.
func (w *world) settle() {
	for i, ch := range w.chans {
		for v, status, _ := ch.TryRecv(); status == wait.Received; v, status, _ = ch.TryRecv() {
			w.see(v, "left over")
		}
		if r, s := ch.Waiting(); r+s != 0 {
			w.complain("channel %d: %d receivers and %d senders are left", i, r, s)
		}
	}
	for v, f := range w.sent {
		if n := w.seen[v]; n > 1 || f == accepted && n != 1 || f == refused && n != 0 {
			w.complain("value %d, fate %d, was seen %d times", v, f, n)
		}
	}
	for i, m := range w.locks {
		if m.Owner() != 0 || m.Waiting() != 0 {
			w.complain("lock %d: owner %v, %d waiting", i, m.Owner(), m.Waiting())
		}
	}
	w.settleShared()
	killed := uint64(0)
	for n, task := range w.tasks {
		killed += w.settleTask(n, task)
	}
	c := w.sched.Inspect().Counts()
	if n := uint64(len(w.actors)); c.Spawned != n || c.Ended != n || c.Killed != killed || c.Lost != w.losses {
		w.complain("%+v; %d fibers, %d killed, %d losses", c, n, killed, w.losses)
	}
	w.trace("%s", w.sched.Inspect().Dump())
}

// settleTask compares how a fiber ended with how it meant to.
func (w *world) settleTask(n int, task *Task) (killed uint64) {
	v, err, done := task.Result()
	var p *scheduler.PanicError
	var i *Interrupt
	var ended string
	switch {
	case !done:
		ended = "alive"
	case errors.Is(err, scheduler.ErrKilled):
		return 1
	case errors.As(err, &p):
		ended = fmt.Sprint("panicked ", p.Value)
	case errors.Is(err, ErrGoexit), errors.As(err, &i): // the cancel is the reason if there was one
		ended = "left"
	default:
		ended = fmt.Sprintf("returned %v %v", v, err)
	}
	if ended != w.finished[n] {
		w.complain("fiber %d %s, it says it %s", n, ended, w.finished[n])
	}
	w.trace("fiber %d %s", n, ended)
	return 0
}
