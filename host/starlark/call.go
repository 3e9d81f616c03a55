package starlark

import (
	"context"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Call calls a function of a program in a fiber, so that it may wait, and runs the Host until it returns. fn is the name
// of a global of the last Run, or of Config.Program, whose file is executed at the first call; a
// starlark.Callable that an earlier call has returned; or a Limited. The other fibers are killed then, as at the end of Run.
//
//	Go argument                         Starlark value, frozen
//	nil                                 None
//	bool, string, []byte                bool, string, string
//	integers, floats                    int, float
//	slices, arrays                      list
//	maps, structs                       dict
//	starlark.Value                      itself
//
//	Starlark result                     Go value
//	None, bool, string, bytes           nil, bool, string, string
//	int, float                          float64
//	list, tuple, set                    []any
//	dict, struct                        map[string]any, or map[any]any with other keys
//	any other value                     itself, a starlark.Value: pass it to Call and Start
//
// A function has one result; one that returns None has none. Errors: *bind.ValueError for the name, the arguments and
// the result, and those of Run.
func (h *Host) Call(ctx context.Context, fn any, args ...any) ([]any, error) {
	results, err := h.call(ctx, "Call", fn, args)
	if err != nil {
		return nil, err
	}
	return h.codec.Any(results)
}

// CallInto is Call with variables for the results: into has a pointer for each. bind.Call is shorter for one result. A
// result that does not fit its variable is a *bind.ValueError, and so is a result too many.
func (h *Host) CallInto(ctx context.Context, into []any, fn any, args ...any) error {
	results, err := h.call(ctx, "CallInto", fn, args)
	if err != nil {
		return err
	}
	return h.codec.Results(results, into)
}

func (h *Host) call(ctx context.Context, call string, fn any, args []any) (results []bind.Value, err error) {
	end, err := h.control.Begin(ctx, call, true)
	if err != nil {
		return nil, err
	}
	defer end()
	fn, limits := withoutLimits(fn)
	name, code, err := h.code(fn, args, &results)
	if err != nil {
		return nil, err
	}
	h.clear()
	if err := h.runMain(ctx, name, code, h.part(name, limits)); err != nil {
		return nil, err
	}
	return results, nil
}

// code is what the fiber of a call executes. It stores the results.
func (h *Host) code(fn any, args []any, results *[]bind.Value) (name string, code stackful.Func, err error) {
	switch f := fn.(type) {
	case string:
		name = f
	case gostar.Callable:
		name = f.Name()
	default:
		return "", nil, notCalled("want the name of a global or a starlark.Callable, got %T", fn)
	}
	values, err := h.codec.Arguments(args)
	if err != nil {
		return "", nil, err
	}
	return name, h.entry(func(t *thread) (gostar.Value, error) {
		callable, err := t.callable(fn)
		if err != nil {
			return nil, err
		}
		list := make(gostar.Tuple, len(values))
		for i, v := range values {
			list[i] = toStar(v)
		}
		if err := t.freeze(list); err != nil {
			return nil, err
		}
		v, err := gostar.Call(t.star, callable, list, nil)
		if err != nil || v == gostar.None {
			return v, err
		}
		*results, err = h.codec.Detach([]bind.Value{fromStar(v)})
		return v, err
	}), nil
}

func (t *thread) callable(fn any) (gostar.Value, error) {
	name, named := fn.(string)
	if !named {
		return fn.(gostar.Value), nil
	}
	globals, err := t.program()
	if err != nil {
		return nil, err
	}
	v, ok := globals[name]
	if !ok {
		return nil, notCalled("the program has no global %.100q", name)
	}
	if _, ok := v.(gostar.Callable); !ok {
		return nil, notCalled("the global %q is a %s, not a function", name, v.Type())
	}
	return v, nil
}

// Start posts a call of a function. Any goroutine may post one at any time. The Host makes a fiber for the call when it
// runs: in Serve, or in a Run or Call, whose end kills the fiber. fn and args are those of Call; args are copied before
// Start returns, except a starlark.Value, which must be frozen. A failure is the Handle's error; it is not reported as
// unobserved. Errors: *bind.ValueError for an argument; scheduler.ErrInboxFull; scheduler.ErrStopped, if the Host is
// closed or shut down.
func (h *Host) Start(fn any, args ...any) (*bind.Handle, error) {
	if h.control.Down() {
		return nil, scheduler.ErrStopped
	}
	fn, limits := withoutLimits(fn)
	var results []bind.Value
	name, code, err := h.code(fn, args, &results)
	if err != nil {
		return nil, err
	}
	s := h.rt.Scheduler()
	var task *stackful.Task // the owner's; nil until the fiber is made
	handle, finish := bind.NewHandle(&h.codec, func(cause error) error {
		return s.Inbox().Do(func() {
			if task != nil {
				_ = s.Cancel(task.ID(), cause) // an error means that it has ended
			}
		})
	})
	ended := func(_ any, err error) { finish(results, err) }
	spawn := func() {
		var err error
		if task, err = h.rt.GoWith(name, code, scheduler.Options{Ended: ended, Group: h.part(name, limits)}); err != nil {
			finish(nil, err)
		}
	}
	if err := s.Inbox().Do(spawn); err != nil {
		return nil, err
	}
	return handle, nil
}

// Serve runs the calls that are posted with Start, and the fibers that they spawn, until ctx ends. It kills the fibers
// that still run and returns ctx.Err(); or until a quota of the Host is passed, and returns the *quota.Error. Calls that
// are posted afterwards wait for the next run. After Shutdown it returns scheduler.ErrStopped.
func (h *Host) Serve(ctx context.Context) error {
	end, err := h.control.Begin(ctx, "Serve", true)
	if err != nil {
		return err
	}
	defer end()
	given := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.control.Serving(stop)
	defer h.control.Serving(nil)
	sender := h.rt.Scheduler().Inbox().NewSender()
	defer sender.Close()
	h.clear()
	h.began = h.rt.Scheduler().Now()
	err = h.drive(ctx)
	if h.control.Down() && given.Err() == nil {
		return scheduler.ErrStopped
	}
	if passed := h.group.Account().Passed(); passed != nil {
		return passed
	}
	return err
}
