package actor

import (
	"fmt"
	"runtime/debug"

	"github.com/selvage-dev/selvage/scheduler"
)

// hookCall is a call of a hook of the host. It is made when the
// command that it is about has been carried out to the end, and before the next one: so
// it sees the system whole, and may leave by a panic or by runtime.Goexit.
type hookCall[M any] struct {
	call  func()
	fault bool        // Options.Fault itself: its own panic is not reported
	by    *Context[M] // whose code it is; nil if it is the host's
}

// later has a hook called after the command.
func (s *System[M]) later(call func()) { s.put(hookCall[M]{call: call}) }

func (s *System[M]) put(a hookCall[M]) {
	s.hookCalls.push(a)
	s.watchful = true
}

func (s *System[M]) callHook(a hookCall[M]) {
	s.inHook = a
	a.call()
	s.inHook = hookCall[M]{}
}

// contain ends the harm that code of an actor or of the host did by leaving with a panic
// or by runtime.Goexit. An actor fails at once: it handles nothing that is in the queue
// already. Of a hook the host is told. Any other panic is our own and goes on.
func (s *System[M]) contain() {
	who, hook := s.acting, s.inHook
	if who == Outside && hook.call == nil {
		return
	}
	s.acting, s.inHook = Outside, hookCall[M]{}
	value := recover()
	s.noteForeign(value)
	err := blame(value)
	asked := who == Outside && hook.by != nil
	if asked {
		who = hook.by.self
	}
	if a := s.actors.find(who); a != nil {
		a.unstarted = a.unstarted || asked // it may have asked in New: for every life the same
		s.fail(a, err)
	} else if !hook.fault {
		s.fault(err)
	}
}

// noteForeign has the journal say how code left that a replay does not run.
func (s *System[M]) noteForeign(value any) {
	if !s.foreign {
		return
	}
	s.foreign = false
	switch {
	case s.journal == nil:
	case value == nil:
		s.journal.in(note{what: "goexit"})
	default:
		s.journal.in(note{what: "panic", cause: recorded(fmt.Sprint(value))})
	}
}

// fault tells the host of its own code's panic.
func (s *System[M]) fault(err error) {
	if s.opts.Fault != nil {
		s.put(hookCall[M]{call: func() { s.opts.Fault(err) }, fault: true})
	}
}

// blame is the failure of code that left with the panic value v, or by Goexit if v is nil.
func blame(v any) error {
	return &scheduler.PanicError{Value: v, Stack: debug.Stack()}
}
