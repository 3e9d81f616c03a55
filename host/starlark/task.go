package starlark

import (
	"errors"
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/stackful"
)

// task is a fiber as programs hold it.
type task = stackful.Task

func newTaskKind() *kind[*task] {
	return &kind[*task]{
		name: "task",
		show: func(t *task) string { return t.ID().String() },
		methods: map[string]func(*call, *task) (gostar.Value, error){
			"join": join, "outcome": outcome, "cancel": cancel, "name": nameOf, "done": done,
		},
	}
}

// object makes a value of a task.
func (h *Host) object(t *task) gostar.Value { return &object[*task]{t, h.kinds.task} }

// spawn is fiber.spawn(f, *args, name="").
func spawn(c *call) (gostar.Value, error) {
	return c.spawnBy(c.host.rt.Go)
}

// spawnBy starts a fiber for f(*args). Its name is where it was spawned, if it gets none.
func (c *call) spawnBy(start func(string, stackful.Func) (*task, error)) (gostar.Value, error) {
	var name string
	fn, args, err := c.callee("name?", &name)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = c.line()
	}
	if err := c.share(fn, args); err != nil {
		return nil, err
	}
	t, err := start(name, c.host.function(fn, args, nil))
	if err != nil {
		return nil, err
	}
	return c.host.object(t), nil
}

// share freezes what another fiber gets.
func (c *call) share(fn gostar.Value, args gostar.Tuple) error {
	if err := c.freeze(fn); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	for _, v := range args {
		if err := c.freeze(v); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// self is fiber.self().
func self(c *call) (gostar.Value, error) {
	t := c.fiber.Task()
	if t == nil {
		return gostar.None, c.unpack()
	}
	return c.host.object(t), c.unpack()
}

// join is task.join(timeout=None): the result of the fiber, whose failure is one of the caller.
func join(c *call, of *task) (gostar.Value, error) {
	v, err := c.joined(of)
	if errors.Is(err, stackful.ErrTimeout) {
		return timedOut, nil
	}
	return v, err
}

// joined waits for the end of a fiber.
func (c *call) joined(of *task) (gostar.Value, error) {
	var limit timeout
	if err := c.unpack("timeout?", &limit); err != nil {
		return nil, err
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	v, err := c.fiber.JoinUntil(of, deadline)
	if err != nil {
		return nil, err
	}
	return v.(gostar.Value), nil
}

// outcome is task.outcome(timeout=None): the result and None, or None and the text of the error.
func outcome(c *call, of *task) (gostar.Value, error) {
	v, err := c.joined(of)
	var failed *stackful.TaskError
	switch {
	case errors.Is(err, stackful.ErrTimeout):
		return timedOut, nil
	case c.fiber.Stopped(err) == nil && errors.As(err, &failed):
		return gostar.Tuple{gostar.None, gostar.String(failed.Err.Error())}, nil
	case err != nil:
		return nil, err
	}
	return gostar.Tuple{v, gostar.None}, nil
}

// cancel is task.cancel(cause="cancelled"). It does not wait for the end.
func cancel(c *call, of *task) (gostar.Value, error) {
	cause, err := c.cause()
	if err != nil {
		return nil, err
	}
	return gostar.None, c.fiber.Cancel(of, cause)
}

// cause reads the optional cause of a cancellation.
func (c *call) cause() (error, error) {
	text := "cancelled"
	err := c.unpack("cause?", &text)
	return errors.New(text), err
}

// nameOf is task.name().
func nameOf(c *call, of *task) (gostar.Value, error) { return gostar.String(of.Name()), c.unpack() }

// done is task.done().
func done(c *call, of *task) (gostar.Value, error) {
	return gostar.Bool(of.Cell().Completed()), c.unpack()
}
