package fibers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Bind makes a Go function available to programs, under the name of a global, or of an entry of a global
// table: "db.query". Tables that do not exist are made; one at the top is also what require returns. An
// earlier value is replaced. The owner calls it, before programs run that use the function; for islands
// call it in Config.Islands. Arguments and results are converted as those of Call; an argument that does
// not fit raises an error with its number and its place, and so does an argument too many. An error that
// the function returns is raised: it is an object with the text of the error, which errors.Is finds in
// what Call returns, also after programs have caught it and raised it again, and which another Go function
// gets back as its argument. A panic of the function is raised as a *bind.PanicError. An iterator is a
// function for a for loop: it ends at a first value of nil too, and with the fiber that has called. A Lua
// function that is an argument may wait when the Go function calls it: then other fibers run.
//
// The error is a *bind.ValueError: the name has an empty part, or leads through a value that is not a
// table.
func (h *Host) Bind(name string, function *bind.Func) error {
	L := h.env.state.Base()
	table, path := L.G.Global, strings.Split(name, ".")
	for i, part := range path {
		where := strings.Join(path[:i+1], ".")
		if part == "" {
			return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: "want names with points between them"}
		}
		if i == len(path)-1 {
			b := &bound{external: h.external, name: name, fn: function}
			table.RawSetString(part, L.NewFunction(b.call))
			break
		}
		switch next := table.RawGetString(part).(type) {
		case *glua.LTable:
			table = next
		case *glua.LNilType:
			made := L.NewTable()
			table.RawSetString(part, made)
			if i == 0 {
				h.env.loaded().RawSetString(part, made)
			}
			table = made
		default:
			return &bind.ValueError{Place: fmt.Sprintf("name %q", name), Reason: fmt.Sprintf("%s is a %s, not a table", where, typeName(next))}
		}
	}
	return nil
}

// bound is a Go function that programs call by a name.
type bound struct {
	*external
	name string
	fn   *bind.Func
	args []bind.Value     // of the call that is being prepared
	idle *bind.Invocation // for the next call; nil while one executes
}

// begin returns an Invocation, a new one if the function is called while it executes.
func (b *bound) begin() *bind.Invocation {
	if call := b.idle; call != nil {
		b.idle = nil
		return call
	}
	return b.fn.Invocation(&b.codec, b.name)
}

func (b *bound) call(L *glua.LState) int {
	args := b.args[:0]
	for i := range L.GetTop() {
		args = append(args, valueOf(L.Get(i+1)))
	}
	call := b.begin()
	if b.fn.TakesFunctions() {
		b.callsGuest(L, call)
	}
	err := call.Prepare(args)
	clear(args)
	if b.args = args; err != nil {
		b.refuse(L, err)
	}
	b.state.Charge(call.Steps())
	if err = b.do(L, call); err != nil {
		b.raiseGo(L, err)
	}
	results, err := call.Results()
	if err != nil {
		b.raiseGo(L, fmt.Errorf("%s: %w", b.name, err))
	}
	b.pay(results)
	n := b.push(L, results)
	call.Release()
	b.idle = call
	return n
}

// callsGuest lets the Go function call Lua functions.
func (b *bound) callsGuest(L *glua.LState, call *bind.Invocation) {
	call.Pay = b.state.Charge
	call.Guest = func(fn bind.Value, args []bind.Value) ([]bind.Value, error) {
		for _, v := range args {
			if _, bytes := costOf(v); bytes > 0 {
				b.state.Alloc(bytes)
			}
		}
		values, err := b.state.Try(L, fn.Own().(*glua.LFunction), b.luaAll(args)...)
		if err != nil {
			failed := guestError(err)
			if g, ok := failed.(*GuestError); ok {
				g.of = b.env
			}
			return nil, failed
		}
		return valuesOf(values), nil
	}
}

// refuse raises the error of an argument, at the line of the call.
func (b *bound) refuse(L *glua.LState, err error) {
	text := err.Error()
	if refused, ok := errors.AsType[*bind.ValueError](err); ok {
		text = refused.Text()
	}
	L.RaiseError("%s: %s", b.name, text)
}

// do calls the Go function: on a worker if it may block. Code that no fiber runs cannot wait.
func (b *bound) do(L *glua.LState, call *bind.Invocation) error {
	caller := b.caller(L)
	if caller == nil {
		return call.Do(context.Background())
	}
	ctx := context.Background()
	if b.fn.TakesContext() {
		ctx = caller.fiber.Context()
	}
	if !b.fn.Blocking() {
		return call.Do(ctx)
	}
	failed, err := fiberio.Do(b.world(L), caller.fiber, fiber.Never, func(context.Context) (error, error) {
		return call.Do(ctx), nil
	})
	if err = caller.back(err); err != nil {
		return err
	}
	return failed
}

func (b *bound) push(L *glua.LState, results []bind.Value) int {
	vm.Reserve(L, len(results))
	for _, v := range results {
		if v.Kind() == bind.Iterator {
			L.Push(b.iterator(L, v.Pull()))
			continue
		}
		L.Push(b.lua(v))
	}
	return len(results)
}
