package trampoline_test

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// guests is a host that runs programs of the random test, in one way of calls.
type guests struct {
	*scheduler.Scheduler[*guest]
	way    trampoline.Way
	calls  *trampoline.Pool[*guest]
	native *parking.Machine[*guest] // for Parking
}

// guest is a fiber: its root function, or Go code that does one thing after a sleep.
type guest struct {
	root  *function
	until fiber.Time
	then  func()
	slept bool
	log   []string
	end   string
}

func newGuests(way trampoline.Way) *guests {
	g := &guests{Scheduler: scheduler.New[*guest](scheduler.Config{}), way: way}
	if g.calls = trampoline.New(g.Scheduler, g); way == trampoline.Parking {
		g.native = parking.New(g.Scheduler, g)
		g.calls = g.native.Calls()
	}
	return g
}

func (g *guests) machine() scheduler.Machine[*guest] {
	if g.way == trampoline.Parking {
		return g.native
	}
	return g
}

func (g *guests) Resume(_ *scheduler.Scheduler[*guest], f *scheduler.Fiber[*guest]) fiber.Outcome {
	who := f.Data
	switch {
	case who.root != nil:
		return who.root.Step()
	case !who.slept:
		who.slept = true
		return fiber.BlockOn(fiber.Until(who.until))
	}
	g.Claim()
	who.then()
	return done
}

// at has Go code called at an instant.
func (g *guests) at(until fiber.Time, then func()) error {
	_, err := g.Spawn(&guest{until: until, then: then})
	return err
}

// function is a call of a proc: a root, or the callee of native code.
type function struct {
	g        *guests
	who      *guest
	p        *proc
	code     []action
	deferred bool // runs the deferred call
	unwinds  bool // because of a panic
	raised   bool // a panic is in force, and is to be unwound
	waits    bool
	op       *scheduler.Operation
	kids     []*proc // that native code, which keeps no frames, has still to call
	more     bool
	kid      *function
	call     trampoline.Reentry[*guest]
}

func (g *guests) function(who *guest, p *proc) *function {
	return &function{g: g, who: who, p: p, code: p.code}
}

func (f *function) say(format string, args ...any) {
	f.who.log = append(f.who.log, fmt.Sprintf("%d: ", f.g.Now())+fmt.Sprintf(format, args...))
}

// Step runs guest code for a slice.
func (f *function) Step() fiber.Outcome {
	if len(f.code) == len(f.p.code) && f.p.defers && !f.deferred && !f.waits && f.kids == nil && !f.raised {
		f.registerOnce()
	}
	if f.waits {
		if cancelled := f.claim(); cancelled {
			f.g.Unwind().BeginPanic(panicstate.Exit, f.g.Unwind().Cause(f.g.Current()), "")
			f.raised = true
		}
	}
	for {
		var o fiber.Outcome
		switch {
		case f.kids != nil:
			o = f.reenter()
		case f.raised:
			o = f.unwind()
		case len(f.code) == 0:
			o = f.finish()
		default:
			a := f.code[0]
			f.code = f.code[1:]
			o = f.do(a)
		}
		if o.Kind != 0 {
			return o
		}
	}
}

func (f *function) registerOnce() {
	if p := f.g.Unwind().Panics(); p.Pending() == 0 {
		p.Defer(0, nil)
	}
}

func (f *function) claim() (cancelled bool) {
	_, result := f.g.Claim()
	f.waits = false
	if result.Code == fiber.Cancelled {
		f.say("cancelled")
		f.op = nil
		return true
	}
	if f.op != nil {
		if v, err := f.op.Result(); v != "done" || err != nil {
			f.say("the operation ended with %v, %v", v, err)
		}
		f.op = nil
	}
	f.say("waited")
	return false
}

func (f *function) do(a action) fiber.Outcome {
	switch a.kind {
	case sleeps:
		f.waits = true
		return fiber.BlockOn(fiber.Until(f.g.Now() + a.d))
	case yields:
		return expired
	case operates:
		return f.operate(a.d)
	case panics:
		f.g.Unwind().BeginPanic(panicstate.Recoverable, a.v, "")
		f.raised = true
	case calls:
		return f.native(a)
	}
	return fiber.Outcome{}
}

func (f *function) operate(d fiber.Time) fiber.Outcome {
	o, err := f.g.Ops().Start(func(tok fiber.Token) error {
		return f.g.at(f.g.Now()+d, func() { f.g.Ops().Complete(tok, ioqueue.Completion{Value: "done"}) })
	})
	if err != nil {
		f.say("no operation: %v", err)
		return fiber.Outcome{}
	}
	f.op, f.waits = &o, true
	o.Arm(fiber.Never)
	return fiber.Outcome{Kind: fiber.Block}
}

// native is native code that calls each function until one fails.
func (f *function) native(a action) fiber.Outcome {
	f.more = a.more
	switch f.g.way {
	case trampoline.ExitAndReenter:
		f.kids = a.kids
		return fiber.Outcome{}
	case trampoline.Parking:
		return f.g.native.Run(func() fiber.Outcome { return f.callEach(a.kids, f.g.native.Call) })
	}
	return f.callEach(a.kids, f.g.calls.Nest)
}

func (f *function) callEach(kids []*proc, call func(trampoline.Callee) error) fiber.Outcome {
	for _, kid := range kids {
		if err := call(f.g.function(f.who, kid)); !f.returned(err) {
			if f.more && call(f.g.function(f.who, kid)) == nil {
				f.say("a call began after a failure")
			}
			return f.failed(err)
		}
	}
	return fiber.Outcome{}
}

// reenter is native code without frames: it continues the call that it was left in.
func (f *function) reenter() fiber.Outcome {
	if !f.call.InFlight() {
		call, err := f.g.calls.Reenter()
		if err != nil {
			return f.failed(err)
		}
		f.call, f.kid = call, f.g.function(f.who, f.kids[0])
	}
	o, err := f.call.Run(f.kid)
	switch {
	case !o.Ends():
		return o
	case !f.returned(err):
		if _, again := f.g.calls.Reenter(); f.more && again == nil {
			f.say("a call began after a failure")
		}
		f.kids = nil
		return f.failed(err)
	}
	if f.kids = f.kids[1:]; len(f.kids) == 0 {
		f.kids = nil
	}
	return fiber.Outcome{}
}

func (f *function) returned(err error) bool {
	if f.g.Unwind().UnwindCause() == nil {
		f.say("native code: %s", f.g.describe(err))
	}
	return err == nil
}

// failed passes a failure on.
func (f *function) failed(err error) fiber.Outcome {
	if f.g.Unwind().UnwindCause() != nil {
		return failed
	}
	f.g.Unwind().BeginPanic(panicstate.Recoverable, fmt.Errorf("native code: %w", err), "")
	f.raised = true
	return fiber.Outcome{}
}

// unwind begins the deferred call of a function that panics, or ends it.
func (f *function) unwind() fiber.Outcome {
	f.raised = false
	if _, more := f.g.Unwind().Panics().NextDefer(); !more {
		return failed
	}
	f.begin(true)
	return fiber.Outcome{}
}

func (f *function) begin(unwinds bool) {
	f.say("deferred code begins")
	f.code, f.deferred, f.unwinds = f.p.deferred, true, unwinds
}

// finish ends the code, the deferred call's or the function's.
func (f *function) finish() fiber.Outcome {
	p := f.g.Unwind().Panics()
	switch {
	case !f.deferred && !f.p.defers:
		return done
	case !f.deferred:
		if _, more := p.Return(0); !more {
			f.say("its deferred call is lost")
			return done
		}
		f.begin(false)
		return fiber.Outcome{}
	case f.unwinds && f.p.recovers:
		_, recovered := f.g.Unwind().Recover(1)
		f.say("recovers: %v", recovered)
	}
	if step, _ := p.EndDefer(); step == panicstate.Continue {
		f.raised = true
		return fiber.Outcome{}
	}
	return done
}

// describe is an error in the words of the model.
func (g *guests) describe(err error) string {
	var p *scheduler.PanicError
	switch {
	case err == nil:
		return "done 0"
	case errors.Is(err, scheduler.ErrKilled):
		return "killed 0"
	case errors.As(err, &p):
		return fmt.Sprintf("panic %v", p.Value)
	case errors.Is(err, errEnough):
		return "cancelled 0"
	}
	return err.Error()
}
