package fibers

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
)

// Bind makes a Go function available for programs to import, as "module.function". Call it before Run and
// the first Call. The types of the import follow from those of the Go function:
//
//	Go                                   parameter          result
//	bool, int8 to int32, uint8 to uint32 i32                i32
//	int, int64, uint, uint64             i64                i64
//	time.Duration                        i64, nanoseconds   i64
//	float32, float64                     f32, f64           f32, f64
//	string, []byte, types with           address i32,       i64: address << 32 | length
//	MarshalText such as time.Time        length i32
//	all other types, as JSON             address i32,       i64: address << 32 | length
//	                                     length i32
//
// No bytes of JSON are null. A variadic parameter is a list. // Arguments are copied out of the memory of the program. A result in memory is stored where the exported
// function malloc (size i32) address i32 of the program says, and belongs to the program; an empty one
// is 0. A function has one result at most, besides an error. An error that it returns ends the call of
// the program's function, and is found by errors.Is in the error of Run or Call; so does an argument that
// does not fit, with a *bind.ValueError, and a panic, with a *bind.PanicError.
//
// Errors: *bind.TypeError for a parameter or a result that wasm cannot have; *bind.ValueError for a name that is no
// "module.function" or is taken.
func (h *Host) Bind(name string, function *bind.Func) error {
	module, short, ok := cutLast(name)
	if !ok || h.rt.Engine().Module(module) != nil {
		return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: "want module.function, with a module that the engine does not have yet; bind before the first Run and Call"}
	}
	b := &bound{host: h, name: name, fn: function}
	made := wasm.Function{Name: short, Do: b.do}
	for i, t := range function.Params() {
		if t.Kind() == reflect.Func {
			return &bind.TypeError{Function: function.Name(), Place: fmt.Sprintf("parameter %d", i+1), Type: t,
				Reason: fmt.Sprintf("%v: a program of wasm cannot pass a function; let it export one, and call that with Host.Start", t)}
		}
		f := formOf(t)
		if function.Variadic() && i == len(function.Params())-1 {
			f = asJSON // the list
		}
		b.params = append(b.params, f)
		made.Params = append(made.Params, f.params()...)
	}
	for i, t := range function.Results() {
		if i > 0 || t.Kind() == reflect.Func {
			return &bind.TypeError{Function: function.Name(), Place: fmt.Sprintf("result %d", i+1), Type: t,
				Reason: fmt.Sprintf("%v: a function for wasm has one result at most, besides an error, and no iterator; return a struct or a slice", t)}
		}
		made.Results = formOf(t).results()
	}
	functions := h.bound[module]
	if slices.ContainsFunc(functions, func(f wasm.Function) bool { return f.Name == short }) {
		return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: "the name is taken"}
	}
	h.bound[module] = append(functions, made)
	return nil
}

// cutLast cuts a name at its last point.
func cutLast(name string) (module, short string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// bound is a Go function that programs import.
type bound struct {
	host   *Host
	name   string
	fn     *bind.Func
	params []form
}

func (b *bound) do(c *wasm.Caller, stack []uint64) error {
	args, err := b.read(c, stack)
	if err != nil {
		return b.named(err)
	}
	call := b.fn.Invocation(&b.host.codec, b.name)
	if err := call.Prepare(args); err != nil {
		return b.named(err)
	}
	if err := c.Work(call.Steps()); err != nil {
		return err
	}
	if err := b.execute(c, call); err != nil {
		return err
	}
	results, err := call.Results()
	if err == nil && len(results) > 0 {
		stack[0], err = b.write(c, results[0])
	}
	return b.named(err)
}

func (b *bound) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

// read makes Values of the arguments.
func (b *bound) read(c *wasm.Caller, stack []uint64) ([]bind.Value, error) {
	args := make([]bind.Value, len(b.params))
	next := 0
	for i, f := range b.params {
		words := stack[next:]
		if next += len(f.params()); f < asBytes {
			args[i] = fromWord(b.fn.Params()[i], f, words[0])
			continue
		}
		data, err := bytesOf(c, words[0], words[1], fmt.Sprintf("argument %d", i+1))
		if err != nil {
			return nil, err
		}
		if f == asBytes {
			args[i] = bind.BytesValue(data)
		}
		if f == asBytes || len(data) == 0 {
			continue
		}
		if args[i], err = bind.ParseJSON(data, fmt.Sprintf("argument %d", i+1)); err != nil {
			return nil, err
		}
	}
	return b.spread(args), nil
}

// spread makes arguments of the list that is passed for a variadic parameter.
func (b *bound) spread(args []bind.Value) []bind.Value {
	if last := len(args) - 1; b.fn.Variadic() && (args[last].Kind() == bind.Sequence || args[last].Kind() == bind.Nil) {
		return append(args[:last], args[last].Items()...)
	}
	return args
}

// execute calls the Go function: on a worker if it may block.
func (b *bound) execute(c *wasm.Caller, call *bind.Invocation) error {
	ctx := c.Fiber.Context()
	b.host.touch(nil) // the function may use anything
	if !b.fn.Blocking() {
		return call.Do(ctx)
	}
	world, err := b.host.io.world()
	if err != nil {
		return err
	}
	failed, err := fiberio.Do(world, c.Fiber, fiber.Never, func(context.Context) (error, error) { return call.Do(ctx), nil })
	if err != nil {
		return err
	}
	return failed
}

// write makes the result of a Value.
func (b *bound) write(c *wasm.Caller, v bind.Value) (result uint64, err error) {
	t := b.fn.Results()[0]
	f := formOf(t)
	if f < asBytes {
		result, _ = word(v, f.results()[0]) // it has that type
		return result, nil
	}
	data := []byte(v.Text())
	if v.Kind() == bind.Failure {
		data = []byte(v.Err().Error())
	}
	if f == asJSON {
		if data, err = v.JSON("result 1"); err != nil {
			return 0, err
		}
	}
	if err := c.Work(workOf(len(data))); err != nil {
		return 0, err
	}
	address, err := give(c.Instance(), c.Fiber, data)
	return uint64(address)<<32 | uint64(len(data)), err
}

// defineBound defines the modules of the functions that were bound.
func (h *Host) defineBound() error {
	for module, functions := range h.bound {
		if err := h.rt.Define(module, functions...); err != nil {
			return err
		}
	}
	clear(h.bound)
	return nil
}
