package trace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// program is a run with everything that can begin and end a wait: values, locks,
// deadlines, operations, joins, cancels, kills, native calls. What happens next is
// chosen by the scheduler's generator, so a seed is a program.
type program struct {
	rt        *stackful.Runtime
	rng       *rand.Rand
	direct    *wait.Chan[int]
	buffered  *wait.Chan[int]
	lock      *wait.Mutex
	tasks     []*stackful.Task
	tokens    []fiber.Token // of operations that have begun
	inCalls   int
	remaining int
}

func newProgram(rt *stackful.Runtime) *program {
	return &program{
		rt: rt, rng: rt.Scheduler().Inspect().Random(), remaining: 300,
		direct: wait.NewChan[int](0), buffered: wait.NewChan[int](2), lock: wait.NewMutex(wait.HandOver),
	}
}

// run lets workers work until they have ended or are stuck, and ends what is left.
func (p *program) run() error {
	for range 8 {
		p.spawn(p.worker)
	}
	err := p.rt.Run(context.Background())
	p.rt.Close()
	return err
}

func (p *program) spawn(fn stackful.Func) *stackful.Task {
	t, err := p.rt.Go("", fn)
	if err == nil {
		p.tasks = append(p.tasks, t)
	}
	return t
}

// worker takes steps until it is interrupted or all have been taken. A deadline that has
// passed and a channel that is full are the life of a worker.
func (p *program) worker(f *stackful.Fiber) (any, error) {
	for p.remaining > 0 {
		p.remaining--
		if err := p.step(f); f.Stopped(err) != nil {
			return nil, f.Shield(func() error { return f.Sleep(p.moment()) })
		}
	}
	return nil, nil
}

func (p *program) step(f *stackful.Fiber) error {
	steps := [...]func(*stackful.Fiber) error{
		p.send, p.send, p.receive, p.receive, p.choose, p.hold, p.sleep, p.yield, p.call,
		p.operate, p.complete, p.join, p.interfere, p.knock, p.meddle,
	}
	return steps[p.rng.IntN(len(steps))](f)
}

// moment is 1 to 2000 ns: there are earlier and later deadlines, and equal ones.
func (p *program) moment() time.Duration { return time.Duration(1 + p.rng.IntN(20)*100) }

func (p *program) soon(f *stackful.Fiber) fiber.Time { return f.Within(p.moment()) }

func (p *program) channel() *wait.Chan[int] {
	if p.rng.IntN(2) == 0 {
		return p.direct
	}
	return p.buffered
}

func (p *program) send(f *stackful.Fiber) error {
	return stackful.SendUntil(f, p.channel(), 1, p.soon(f))
}

func (p *program) receive(f *stackful.Fiber) error {
	_, _, err := stackful.RecvUntil(f, p.channel(), p.soon(f))
	return err
}

func (p *program) choose(f *stackful.Fiber) error {
	_, err := f.SelectUntil(wait.NewSelect(wait.RecvFrom(p.direct), wait.SendTo(p.buffered, 2)), p.soon(f))
	return err
}

func (p *program) hold(f *stackful.Fiber) error {
	if err := f.LockUntil(p.lock, p.soon(f)); err != nil {
		return err
	}
	slept := f.Sleep(p.moment())
	return errors.Join(slept, f.Unlock(p.lock))
}

func (p *program) sleep(f *stackful.Fiber) error { return f.Sleep(p.moment()) }
func (p *program) yield(f *stackful.Fiber) error { return f.Yield() }

// call is a native call, in which everything else can happen, calls among it.
func (p *program) call(f *stackful.Fiber) error {
	if p.inCalls > 6 {
		return nil
	}
	p.inCalls++
	defer func() { p.inCalls-- }()
	_, err := f.Call(func(f *stackful.Fiber) (any, error) {
		return nil, errors.Join(p.receive(f), p.step(f))
	})
	return err
}

func (p *program) operate(f *stackful.Fiber) error {
	if f.Runtime().Scheduler().Inspect().Executing().IsTrampoline() {
		return nil // its root would have to (I8)
	}
	_, err := f.OperateUntil(func(t fiber.Token) error {
		p.tokens = append(p.tokens, t)
		if p.rng.IntN(3) == 0 {
			p.rt.Scheduler().Ops().Complete(t, ioqueue.Completion{}) // before a fiber awaits it
		}
		return nil
	}, p.soon(f))
	return err
}

// complete ends an operation, which may have ended before.
func (p *program) complete(*stackful.Fiber) error {
	if n := len(p.tokens); n > 0 {
		p.rt.Scheduler().Ops().Complete(p.tokens[p.rng.IntN(n)], ioqueue.Completion{})
	}
	return nil
}

func (p *program) join(f *stackful.Fiber) error {
	child := p.spawn(func(f *stackful.Fiber) (any, error) { return nil, p.send(f) })
	if child == nil {
		return nil
	}
	_, err := f.JoinUntil(child, p.soon(f))
	return err
}

// interfere cancels or kills a fiber, which may be dead or the caller.
func (p *program) interfere(*stackful.Fiber) error {
	who := p.tasks[p.rng.IntN(len(p.tasks))].ID()
	switch p.rng.IntN(6) {
	case 0:
		_ = p.rt.Scheduler().Kill(who, nil) // it may be dead
	case 1, 2:
		_ = p.rt.Scheduler().Cancel(who, nil)
	}
	return nil
}

// deliverForged delivers tickets that were made up.
func (p *program) knock(*stackful.Fiber) error {
	who := p.tasks[p.rng.IntN(len(p.tasks))].ID()
	seq := fiber.NewSeq(uint16(p.rng.IntN(4)/3), 1<<40+p.rng.Uint64N(200))
	p.rt.Scheduler().Deliver(fiber.Ticket{ID: who, Seq: seq}, fiber.Result{Code: fiber.OK})
	return nil
}

// meddle does something to a wait that is armed and not blocked in yet, and tries its
// ticket once more when it is over.
func (p *program) meddle(f *stackful.Fiber) error {
	s := p.rt.Scheduler()
	var spent fiber.Ticket
	defer func() { s.Deliver(spent, fiber.Result{Code: fiber.OK}) }()
	_, _, err := f.Await(fiber.OnQueue().WithDeadline(p.soon(f)), func(t fiber.Ticket) error {
		spent = t
		switch p.rng.IntN(8) {
		case 0:
			return s.Kill(f.ID(), nil)
		case 1, 2:
			return s.Cancel(f.ID(), nil)
		case 3, 4:
			return errors.New("nobody parks")
		}
		s.Deliver(t, fiber.Result{Code: fiber.OK})
		return nil
	})
	return err
}
