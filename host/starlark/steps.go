package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/quota"
)

// How steps are counted. The engine counts the instruction that it is about to execute, and then calls preempted if
// the count has reached a limit. So a thread may execute until the limit minus one. The limit is the end of the time
// slice, or what is left of the quotas if that is less.
//
// While another fiber executes, the quotas have counted all steps of this one: together the fibers never execute more
// than there is. So what may wait calls settle first. After it the next instruction calls preempted, which looks at
// what the others have left.

// depthSteps is after how many steps the depth of the calls is checked.
const depthSteps = 1024

// arm lets the engine go on after so many executed steps.
func (t *thread) arm(executed uint64) {
	last := min(t.slice, t.checked+depthSteps, executed+uint64(t.group.Account().Left(quota.Steps)))
	t.star.SetMaxExecutionSteps(last + 1)
}

// take has the quotas count what was executed.
func (t *thread) take(executed uint64) {
	if n := executed - t.taken; n > 0 {
		t.taken = executed
		_ = t.group.Take(quota.Steps, int64(n)) // arm has seen to it that there is as much
	}
}

// settle is called by functions in Go that may wait: all steps until now are counted, and the next one is looked at.
func (t *thread) settle() {
	t.take(t.star.Steps)
	t.star.SetMaxExecutionSteps(t.star.Steps + 1)
}

// preempted is called by the engine before it executes the step that reached the limit.
func (t *thread) preempted(*gostar.Thread) {
	if t.ended != nil {
		return
	}
	if err := t.preempt(t.star.Steps - 1); err != nil {
		t.stop(err)
	}
}

func (t *thread) preempt(executed uint64) error {
	t.take(executed)
	if executed >= t.checked+depthSteps {
		t.checked = executed
		if depth := t.star.CallStackDepth(); depth > t.host.cfg.MaxDepth {
			return &LimitError{fmt.Sprintf("calls are nested too deeply: %d; the limit is %d (Config.MaxDepth)", depth, t.host.cfg.MaxDepth)}
		}
	}
	if executed >= t.slice {
		if err := t.fiber.Yield(); err != nil {
			return err
		}
		t.slice = executed + uint64(t.host.budget())
	}
	if t.group.Account().Left(quota.Steps) == 0 {
		return t.pass(1)
	}
	t.arm(executed)
	return nil
}

// charge counts the work of a function in Go before that does it. The error is an *stackful.Interrupt.
func (t *thread) charge(steps int64) error {
	if steps <= 0 {
		return nil
	}
	t.settle()
	if left := t.group.Account().Left(quota.Steps); steps > left {
		_ = t.group.Take(quota.Steps, left) // there is as much
		return t.check(t.pass(steps - left))
	}
	t.star.Steps += uint64(steps)
	t.settle()
	return nil
}

// pass takes more steps than are left.
func (t *thread) pass(steps int64) error {
	err := t.group.Take(quota.Steps, steps)
	if killed := t.fiber.Checkpoint(); killed != nil {
		return killed
	}
	return err
}
