package vm

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Invocation is a call of a function by the host.
type Invocation struct {
	code.Export
	// Fill puts the arguments into registers.
	Fill func(n []uint64, r []any) error
	// Take has the results, and the errors among them.
	Take func(n []uint64, r []any, passed []Passed)
	// Err is why it has not returned, if that is a panic.
	Err error

	Name   string       // for messages
	Limits quota.Limits // of its own, for it and what it spawns; none for memory

	Ended func(err error) // called when its fiber has ended
	ID    fiber.RegularID
}

// Export is a function that the host may call.
func (m *Machine) Export(name string) (code.Export, bool) {
	x, ok := m.prog.Exports[name]
	return x, ok
}

// Types has the program's types.
func (m *Machine) Types() value.Types { return m.types }

// Host has the types of errors and iterators of the host.
func (m *Machine) Host() *code.Host { return &m.prog.Host }

// Bound are the types of a function of the host.
func (m *Machine) Bound(name string) code.Export { return m.prog.Bound[name] }

// ErrorMethod is the number of the method Error.
func (m *Machine) ErrorMethod() int32 { return m.prog.ErrorMethod }

// Text counts a string that the host gives to the program, and returns the reference to it.
func (m *Machine) Text(s string) any { return m.newText(s) }

// Alloc counts memory that the host allocates for the program.
func (m *Machine) Alloc(bytes int) { m.alloc(bytes) }

// Invoke initializes the program, if that has not been done, and runs a call until it returns.
func (m *Machine) Invoke(ctx context.Context, call *Invocation) error {
	return m.session(ctx, func() error { return m.spawnCall(call, true) })
}

// Serve initializes the program, if that has not been done, and runs what is posted until ctx ends.
func (m *Machine) Serve(ctx context.Context) error {
	sender := m.sched.Inbox().NewSender()
	defer sender.Close()
	return m.session(ctx, func() error { return nil })
}

// Finish runs what was posted, and what still runs, until ctx ends.
func (m *Machine) Finish(ctx context.Context) error {
	if m.begun || len(m.later) > 0 || m.sched.Inbox().Waiting() {
		return m.session(ctx, func() error { return nil })
	}
	return m.drive(ctx)
}

// Group has all fibers. It is nil if the program runs without one already.
func (m *Machine) Group() *scheduler.Group {
	if m.group == nil && !m.begun {
		m.group = m.sched.Attachments().NewGroupOf(m.account)
	}
	return m.group
}

// session runs what begin spawns.
func (m *Machine) session(ctx context.Context, begin func() error) error {
	m.Group()
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m.stop = stop
	defer m.stopOperations()
	if m.jit != nil {
		if err := m.compileEagerly(); err != nil {
			return err
		}
	}
	if err := m.setUp(inner); err != nil || m.over != nil {
		err = m.ended(err)
		m.eachLater(func(call *Invocation) { call.Ended(err) })
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	m.eachLater(m.spawnPosted)
	return m.ended(m.drive(inner))
}

// setUp runs what is run before main, once.
func (m *Machine) setUp(ctx context.Context) error {
	if m.begun || m.over != nil {
		return nil
	}
	m.begun, m.settingUp = true, true
	defer func() { m.settingUp = false }()
	var st State
	st.begin(m.prog.Setup)
	st.extra().main = true
	var err error
	if m.main, err = m.sched.SpawnWith(st, scheduler.Options{Main: true, Group: m.group}); err != nil {
		return err
	}
	return m.drive(ctx)
}

// ended is the error of a session.
func (m *Machine) ended(err error) error {
	m.settleAll()
	if m.over != nil {
		return m.over
	}
	return m.explain(err)
}

// spawnCall makes the fiber of a call.
func (m *Machine) spawnCall(call *Invocation, main bool) error {
	var st State
	m.alloc(fiberBytes + bytesOf(call.Func.N, call.Func.R))
	st.begin(call.Func)
	if err := call.Fill(st.num[call.Func.ResN:], st.ref[call.Func.ResR:]); err != nil {
		return err
	}
	st.extra().invoked = call
	id, err := m.sched.SpawnWith(st, scheduler.Options{
		Main: main, Group: m.groupOf(call), Ended: func(_ any, err error) {
			if call.Err != nil {
				err = call.Err
			}
			if call.Ended != nil {
				call.Ended(err)
			}
		},
	})
	call.ID = id
	m.passed(err)
	return err
}

// Post has a call made by the owner: in Invoke, Serve or Run.
func (m *Machine) Post(call *Invocation) error {
	return m.sched.Inbox().Do(func() {
		if m.settingUp || !m.begun {
			m.later = append(m.later, awaited{call, m.Group().Expect()}) // the end of the initialization would kill it
			return
		}
		m.spawnPosted(call)
	})
}

func (m *Machine) spawnPosted(call *Invocation) {
	err := m.over
	if err == nil {
		err = m.spawnCall(call, false)
	}
	if err != nil {
		call.Ended(err)
	}
}

// awaited is a call that was posted before the program is initialized.
type awaited struct {
	call    *Invocation
	arrived func()
}

// eachLater takes the calls that were posted during the initialization.
func (m *Machine) eachLater(take func(*Invocation)) {
	for _, later := range m.later {
		take(later.call)
		later.arrived()
	}
	m.later = nil
}

// CancelCall posts the cancellation of a call.
func (m *Machine) CancelCall(call *Invocation, cause error) error {
	return m.sched.Inbox().Do(func() {
		if call.ID != 0 {
			_ = m.sched.Cancel(call.ID.ID(), cause) // an error means that it has ended
		}
	})
}

// Close frees the machine code.
func (m *Machine) Close() {
	if m.jit != nil {
		m.jit.close()
	}
}

// returned has the results of a call whose function has returned, when the errors among them have been
// described; until then the fiber continues.
func (m *Machine) returned(st *State) {
	call, fn := st.more.invoked, st.more.invoked.Func
	n, r := st.num[:fn.ResN], st.ref[:fn.ResR]
	at, ar := 0, 0
	for i, t := range call.Results {
		if t.Kind == code.Interface && i >= len(st.more.passed) && !m.passResult(st, m.types.Interface(n[at:], r[ar:])) {
			st.waits = returning
			m.out = fiber.TimesliceExpired
			return
		}
		if i >= len(st.more.passed) {
			st.more.passed = append(st.more.passed, Passed{})
		}
		at, ar = at+t.N, ar+t.R
	}
	call.Take(n, r, st.more.passed)
	m.out = fiber.Done
}
