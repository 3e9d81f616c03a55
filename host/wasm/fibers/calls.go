package fibers

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Call calls an exported function of Config.Program in a fiber, so that it may wait, and runs the Host
// until it returns. The other fibers are killed then. fn is the name of the function, or a Limited. All calls use one
// instance, which is made for the first: they take turns, and share its memory. After a call that has
// failed the next one gets a new instance, because the code was left in the middle.
//
// Arguments pass as those of Bind: a boolean or a number for one parameter, everything else for two, an
// address and a length, in memory that the function malloc of the program allocates. The results are the
// results of the function as numbers, and the value that it has given to the import "selvage" "result",
// if it has. Go types of the results are those of bind.Codec.Any.
//
// Errors: *bind.ValueError for the name and the arguments, scheduler.ErrStopped if the Host is closed, and
// those of Run.
func (h *Host) Call(ctx context.Context, fn any, args ...any) ([]any, error) {
	results, err := h.call(ctx, "Call", fn, args)
	if err != nil {
		return nil, err
	}
	return h.codec.Any(results)
}

// CallInto is Call with variables for the results: into has a pointer for each. bind.Call is shorter for
// one result. A result that does not fit its variable is a *bind.ValueError, and so is a result too many.
func (h *Host) CallInto(ctx context.Context, into []any, fn any, args ...any) error {
	results, err := h.call(ctx, "CallInto", fn, args)
	if err != nil {
		return err
	}
	return h.codec.Results(results, into)
}

func (h *Host) call(ctx context.Context, call string, fn any, args []any) ([]bind.Value, error) {
	end, err := h.begin(ctx, call)
	if err != nil {
		return nil, err
	}
	defer end()
	fn, limits := withoutLimits(fn)
	code, err := h.code(fn, args)
	if err != nil {
		return nil, err
	}
	if err := h.load(call); err != nil {
		return nil, err
	}
	h.clear()
	name := fn.(string)
	task, err := h.rt.Fibers().GoWith(name, code, scheduler.Options{Main: true, Group: h.part(name, limits)})
	if err != nil {
		return nil, err
	}
	if err := h.drive(ctx); err != nil {
		return nil, err
	}
	result, err, _ := task.Result()
	results, _ := result.([]bind.Value)
	return results, err
}

// load compiles Config.Program, once.
func (h *Host) load(call string) (err error) {
	p := h.cfg.Program
	switch {
	case h.module != nil && h.calls != nil:
		return nil
	case h.module != nil || p == nil:
		panic("fibers: " + call + " on a Host without a program; set Config.Program: " + rule.Cite(rule.ValidArgument))
	}
	if err := h.prepare(h.program, []string{p.name}); err != nil {
		h.module = nil
		return err
	}
	h.calls = &calls{host: h, turn: wait.NewMutex(wait.HandOver)}
	h.calls.turn.SetName("instance of " + p.name)
	return nil
}

// drive runs the fibers until the run ends.
func (h *Host) drive(ctx context.Context) error {
	err := h.rt.Fibers().Run(ctx)
	h.stuck = errors.As(err, new(*scheduler.DeadlockError))
	return err
}

// finish runs what was posted, for a Shutdown. What does not load is the error of the calls.
func (h *Host) finish(ctx context.Context) {
	if h.cfg.Program != nil && h.module == nil {
		h.unloaded = h.load("Shutdown")
	}
	_ = h.drive(ctx)
}

// clear ends the fibers of a call that deadlocked, and the calls that were posted since: they belong to
// its run.
func (h *Host) clear() {
	if h.stuck {
		ended, cancel := context.WithCancelCause(context.Background())
		cancel(scheduler.ErrStopped) // the run only unwinds: a posted call could last
		_ = h.rt.Fibers().Run(ended) // its error is that of the context
		h.stuck = false
	}
}

// calls is the instance whose functions Go code calls.
type calls struct {
	host     *Host
	turn     *wait.Mutex
	user     user
	instance *wasm.Instance // nil before the first call, and after one that failed
}

// given is the value that a call has given to the import result. It is the Local of its fiber.
type given struct {
	value bind.Value
	some  bool
}

// code is what the fiber of a call executes.
func (h *Host) code(fn any, args []any) (stackful.Func, error) {
	name, ok := fn.(string)
	if !ok {
		return nil, &bind.ValueError{Place: "function", Reason: fmt.Sprintf("want the name of an exported function, got %T %v", fn, fn)}
	}
	values, err := h.codec.Arguments(args)
	if err != nil {
		return nil, err
	}
	return func(f *stackful.Fiber) (any, error) {
		switch {
		case h.calls != nil:
		case h.unloaded != nil:
			return nil, h.unloaded
		default:
			return nil, &bind.ValueError{Place: "function", Reason: "the Host has no program for calls; set Config.Program"}
		}
		if err := f.Lock(h.calls.turn); err != nil {
			return nil, err
		}
		results, err := h.calls.run(f, name, values)
		if failed := f.Unlock(h.calls.turn); err == nil {
			err = failed
		}
		return results, err
	}, nil
}

// run makes a call. The fiber has the turn.
func (c *calls) run(f *stackful.Fiber, name string, args []bind.Value) (results []bind.Value, err error) {
	returned := false
	defer func() {
		if !returned && c.instance != nil { // also if the fiber unwinds
			c.instance.Close()
			c.instance = nil
		}
	}()
	c.user.Fiber = f
	if c.instance == nil {
		if c.instance, err = c.host.instance(f, &c.user); err != nil {
			return nil, err
		}
	}
	def, err := c.definition(name)
	if err != nil {
		returned = true
		return nil, err
	}
	words, err := c.words(f, def, args)
	if err != nil {
		_, refused := errors.AsType[*bind.ValueError](err)
		returned = refused
		return nil, err
	}
	answer := &given{}
	f.Local = answer
	numbers, err := c.instance.Call(f, name, words...)
	if returned = err == nil; !returned {
		return nil, err
	}
	for i, n := range numbers {
		results = append(results, fromResult(def.ResultTypes()[i], n))
	}
	if answer.some {
		results = append(results, answer.value)
	}
	return results, nil
}

func (c *calls) definition(name string) (api.FunctionDefinition, error) {
	def, ok := c.instance.Module().ExportedFunctionDefinitions()[name]
	if !ok {
		return nil, &bind.ValueError{Place: "function", Reason: fmt.Sprintf("the program exports no function %.100q", name)}
	}
	return def, nil
}

// words makes numbers of wasm of the arguments of a call.
func (c *calls) words(f *stackful.Fiber, def api.FunctionDefinition, args []bind.Value) (words []uint64, err error) {
	params := def.ParamTypes()
	refuse := func(i int, reason string, args ...any) error {
		return &bind.ValueError{Place: fmt.Sprintf("argument %d", i+1), Reason: fmt.Sprintf(reason, args...)}
	}
	for i, v := range args {
		rest := params[len(words):]
		if _, isNumber := v.Number(); isNumber || v.Kind() == bind.Bool {
			if len(rest) == 0 {
				return nil, refuse(i, "the function has %d parameters of wasm", len(params))
			}
			w, ok := word(v, rest[0])
			if !ok {
				return nil, refuse(i, "the function has an %s there, which %s does not fit", api.ValueTypeName(rest[0]), v)
			}
			words = append(words, w)
			continue
		}
		if len(rest) < 2 || !same(rest[:2], types{i32, i32}) {
			return nil, refuse(i, "%s needs two i32 there, an address and a length", v)
		}
		address, length, err := c.pass(f, v, fmt.Sprintf("argument %d", i+1))
		if err != nil {
			return nil, err
		}
		words = append(words, uint64(address), uint64(length))
	}
	if len(words) < len(params) {
		return nil, refuse(len(args), "the function has more parameters: want %d words of wasm, got %d", len(params), len(words))
	}
	return words, nil
}

// pass stores a value in the memory of the instance.
func (c *calls) pass(f *stackful.Fiber, v bind.Value, place string) (address uint32, length int, err error) {
	data := []byte(v.Text())
	if v.Kind() != bind.Text {
		if data, err = v.JSON(place); err != nil {
			return 0, 0, err
		}
	}
	if address, err = give(c.instance, f, data); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", place, err)
	}
	return address, len(data), nil
}

// result is the import "selvage" "result": it stores JSON as a result of the call that the host has made.
func (h *Host) result(c *wasm.Caller, stack []uint64) error {
	answer, ok := c.Fiber.Local.(*given)
	if !ok {
		return errors.New("result: only a function that the host has called can give a result")
	}
	data, err := bytesOf(c, stack[0], stack[1], "result")
	if err != nil {
		return err
	}
	answer.value, err = bind.ParseJSON(data, "result")
	answer.some = true
	return err
}
