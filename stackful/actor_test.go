package stackful

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// actor is one fiber of a world, which follows its script.
type actor struct {
	*world
	f      *Fiber
	n      int
	doomed bool // it was refused as killed
	last   map[[2]int]int
}

func (a *actor) run(f *Fiber) (any, error) {
	a.f, a.last = f, map[[2]int]int{}
	a.finished[a.n] = "unwound"
	script := a.actors[a.n]
	defer func() { a.follow(script.cleanup, script.stubborn) }()
	a.follow(script.body, script.stubborn)
	a.ends(fmt.Sprintf("returned %d <nil>", a.n))
	return a.n, nil
}

// ends notes how the fiber is about to end; a later end replaces an earlier one.
func (a *actor) ends(how string) { a.finished[a.n] = how }

func (a *actor) follow(ops []op, stubborn bool) {
	for i := 0; i < len(ops) && (stubborn || !a.doomed); i++ {
		o := ops[i]
		if o.verb != "shield" {
			a.do(o)
			continue
		}
		before := a.cancels[a.n]
		a.mustNot(a.f.Shield(func() error {
			for n := 0; n < 2 && i+1 < len(ops) && !a.doomed; n++ {
				i++
				a.do(ops[i])
			}
			return nil
		}))
		if a.cancels[a.n] != before {
			a.complain("fiber %d learned of a cancel behind its shield", a.n)
		}
	}
}

// do is one step: what it did, how it ended and when goes into the log.
func (a *actor) do(o op) {
	began, doomed := a.f.Now(), a.doomed
	what, err := a.act(o)
	now := a.f.Now()
	a.trace("%v fiber %d: %s %d: %s %v", now, a.n, o.verb, o.obj, what, err)
	i := a.f.Stopped(err)
	switch {
	case i != nil && i.Killed:
		a.doomed = true
	case doomed && o.waits() && !errors.Is(err, wait.ErrSelfJoin):
		a.complain("fiber %d is killed and was not refused: %s ended with %v", a.n, o.verb, err)
	case i != nil:
		if a.cancels[a.n]++; a.cancels[a.n] > 1 {
			a.complain("fiber %d got two errors for one cancel", a.n)
		}
	case errors.Is(err, ErrTimeout) && now != began.After(o.d) && o.verb != "wait", o.verb == "sleep" && err == nil && now != began.After(o.d):
		a.complain("fiber %d: %s at %v for %v ended at %v", a.n, o.verb, began, o.d, now)
	}
}

// waits tells whether a killed fiber is refused the call.
func (o op) waits() bool {
	switch o.verb {
	case "unlock", "close", "cancel", "kill", "shield", "write unlock", "read unlock", "release", "signal", "broadcast", "stop timer":
		return false
	}
	return true
}

func (a *actor) by(o op) fiber.Time {
	if o.d < 0 {
		return fiber.Never
	}
	return a.f.Within(o.d)
}

func (a *actor) act(o op) (string, error) {
	ch, m, task := a.chans[o.obj%len(a.chans)], o.obj%len(a.locks), a.tasks[o.obj%len(a.tasks)]
	switch o.verb {
	case "send", "try send":
		return a.send(ch, o)
	case "recv", "try recv":
		return a.recv(ch, o)
	case "select", "try select":
		return a.choose(o)
	case "lock":
		return "", a.lock(m, a.by(o))
	case "unlock":
		return "", a.unlock(m)
	case "sleep":
		if o.d < 0 {
			o.d = 0
		}
		return "", a.f.Sleep(o.d)
	case "yield":
		return "", a.f.Yield()
	case "checkpoint":
		return "", a.f.Checkpoint()
	case "join":
		return a.join(task, a.by(o))
	case "close":
		return "", Close(a.f, ch)
	case "cancel":
		return "", a.sched.Cancel(task.ID(), nil)
	case "kill":
		return "", a.sched.Kill(task.ID(), nil)
	case "panic", "goexit":
		return "", a.leave(o)
	}
	return a.share(o)
}

// leave panics or exits, at the end of what a killed fiber is allowed.
func (a *actor) leave(o op) error {
	if err := a.f.Checkpoint(); err != nil {
		return err
	}
	a.trace("%v fiber %d: %s", a.f.Now(), a.n, o.verb)
	if o.verb == "panic" {
		a.ends(fmt.Sprint("panicked ", o.obj))
		panic(o.obj)
	}
	a.ends("left")
	runtime.Goexit()
	return nil
}

func (a *actor) newValue() int { a.values++; return a.values*10 + a.n }

// book notes the result of a send.
func (a *actor) book(v int, sent bool, err error) {
	var i *Interrupt
	switch {
	case sent && err == nil:
		a.sent[v] = accepted
	case errors.As(err, &i) && i.Killed && !a.doomed:
		a.sent[v] = unknown
	default:
		a.sent[v] = refused
	}
}

func (a *actor) send(ch *wait.Chan[int], o op) (string, error) {
	v, ok := a.newValue(), true
	var err error
	if o.verb == "send" {
		err = SendUntil(a.f, ch, v, a.by(o))
	} else {
		ok, err = TrySend(a.f, ch, v)
	}
	a.book(v, ok, err)
	return fmt.Sprint(v, ok), err
}

func (a *actor) recv(ch *wait.Chan[int], o op) (string, error) {
	var v int
	var ok bool
	var status wait.Status
	var err error
	if o.verb == "recv" {
		v, ok, err = RecvUntil(a.f, ch, a.by(o))
	} else {
		v, status, err = TryRecv(a.f, ch)
		ok = status == wait.Received
	}
	if ok {
		a.got(o.obj%len(a.chans), v)
	}
	return fmt.Sprint(v, ok), err
}

// got books a received value. Those of one sender to one receiver keep their order.
func (a *actor) got(ch, v int) {
	a.see(v, "received")
	from := [2]int{ch, v % 10}
	if v <= a.last[from] {
		a.complain("fiber %d received %d after %d", a.n, v, a.last[from])
	}
	a.last[from] = v
}

func (a *actor) lock(n int, by fiber.Time) error {
	err := a.f.LockUntil(a.locks[n], by)
	if err != nil {
		return err
	}
	if h := a.holder[n]; h >= 0 && a.sched.Inspect().State(a.tasks[h].ID()) != fiber.Dead {
		a.complain("lock %d went to fiber %d while fiber %d has it", n, a.n, h)
	}
	a.holder[n] = a.n
	return nil
}

func (a *actor) unlock(n int) error {
	err := a.f.Unlock(a.locks[n])
	if (err == nil) != (a.holder[n] == a.n) && !a.doomed { // it may pass on one it was refused
		a.complain("fiber %d unlocks lock %d, which fiber %d has: %v", a.n, n, a.holder[n], err)
	}
	if err == nil {
		a.holder[n] = -1
	}
	return err
}

func (a *actor) join(task *Task, by fiber.Time) (string, error) {
	v, err := a.f.JoinUntil(task, by)
	var te *TaskError
	if ended := err == nil || errors.As(err, &te); ended && a.sched.Inspect().State(task.ID()) != fiber.Dead {
		a.complain("fiber %d joined %s, which lives", a.n, task.Name())
	}
	if te != nil && !errors.Is(err, scheduler.ErrKilled) {
		err = fmt.Errorf("%s failed", te.Task) // without the stack, which has addresses in it
	}
	return fmt.Sprint(v), err
}
