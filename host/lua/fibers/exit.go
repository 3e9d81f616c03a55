package fibers

import (
	"fmt"
	"time"

	glua "github.com/yuin/gopher-lua"
)

// ExitError is how a run ends in which the program has called os.exit with a status other than 0.
type ExitError struct{ Status int }

// Error names the status.
func (e *ExitError) Error() string {
	return fmt.Sprintf("the program has called os.exit(%d)", e.Status)
}

// exitProgram is os.exit([status]): it ends the program, with all its islands, and not the process. No code of the
// program runs after it.
func (h *Host) exitProgram(L *glua.LState) int {
	c, e := h.env.begin(L), &ExitError{L.OptInt(1, 0)}
	if set := h.islands.set; set != nil && set.first != h {
		set.exit(e)
	}
	h.env.end(e)
	if h.shared != nil && h.guest.run == nil {
		h.env.exit = nil // the calls that were posted have the error
	}
	return c.done(c.fiber.Checkpoint())
}

// end kills all fibers of this Host, with which the run ends.
func (e *env) end(why *ExitError) {
	if e.exit == nil {
		e.exit = why
	}
	if e.stopServing != nil {
		e.stopServing()
	}
	e.killAll(why)
}

func (e *env) killAll(why error) {
	for id := range e.group.Fibers() {
		_ = e.rt.Scheduler().Kill(id.ID(), why) // alive: cannot be ErrGone
	}
}

// exited is the error of a run that has ended with err.
func (e *env) exited(err error) error {
	if e.exit != nil && err == error(e.exit) && e.exit.Status == 0 {
		err = nil
	}
	e.exit = nil
	return err
}

// exit ends the first island, which ends all others. Another island calls it.
func (s *islandSet) exit(why *ExitError) {
	s.first.env.exitsThere.Store(new(func() {
		if now := s.first.islands; now.isle != nil && now.set == s { // the run that the island belonged to
			s.first.env.end(why)
		}
	}))
	s.first.rt().Scheduler().Inbox().Notify()
}

// wallTime is the time of os.time. While a Host is made, another goroutine may run the scheduler.
func (e *env) wallTime() time.Time {
	now := e.began
	if e.state != nil {
		now = e.rt.Scheduler().Now()
	}
	return e.cfg.Access.Now(time.Duration(now))
}
