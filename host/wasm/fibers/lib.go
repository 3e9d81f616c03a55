package fibers

import (
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// library is the name of the module that programs import.
const library = "selvage"

// The results of send, recv, join and close.
const (
	done     = 0
	closed   = 1 // the channel is closed, or the task failed
	timedOut = 2
)

const (
	i32 = api.ValueTypeI32
	i64 = api.ValueTypeI64
)

type types = []api.ValueType

// define defines WASI and the library in an engine.
func define(engine wazero.Runtime) error {
	if err := defineWASI(engine); err != nil {
		return err
	}
	return wasm.Define(engine, library,
		wasm.Function{Name: "yield", Do: by((*Host).yield)},
		wasm.Function{Name: "sleep", Params: types{i64}, Do: by((*Host).sleep)},
		wasm.Function{Name: "now", Results: types{i64}, Do: by((*Host).now)},
		wasm.Function{Name: "spawn", Params: types{i32, i32, i64}, Results: types{i32}, Do: by((*Host).spawn)},
		wasm.Function{Name: "join", Params: types{i32, i32, i64}, Results: types{i32}, Do: by((*Host).join)},
		wasm.Function{Name: "chan", Params: types{i32}, Results: types{i32}, Do: by((*Host).newChan)},
		wasm.Function{Name: "send", Params: types{i32, i64, i64}, Results: types{i32}, Do: by((*Host).send)},
		wasm.Function{Name: "recv", Params: types{i32, i32, i64}, Results: types{i32}, Do: by((*Host).recv)},
		wasm.Function{Name: "result", Params: types{i32, i32}, Do: by((*Host).result)},
		wasm.Function{Name: "close", Params: types{i32}, Results: types{i32}, Do: by((*Host).closeChan)},
	)
}

// by is a function of the Host of its caller: the engine may be shared by several.
func by(do func(*Host, *wasm.Caller, []uint64) error) func(*wasm.Caller, []uint64) error {
	return func(c *wasm.Caller, stack []uint64) error { return do(c.Host().(*Host), c, stack) }
}

func (h *Host) yield(c *wasm.Caller, _ []uint64) error { return c.Fiber.Yield() }

func (h *Host) sleep(c *wasm.Caller, stack []uint64) error {
	return c.Fiber.Sleep(time.Duration(stack[0]))
}

func (h *Host) now(c *wasm.Caller, stack []uint64) error {
	stack[0] = uint64(c.Fiber.Now())
	return nil
}

// deadline returns the deadline of a call with a timeout; a negative one means none.
func deadline(c *wasm.Caller, timeout uint64) (fiber.Time, error) {
	if int64(timeout) < 0 {
		return fiber.Never, nil
	}
	return wait.Deadline(c.Fiber.Now(), time.Duration(timeout))
}

// settle stores the result of an operation: a timeout and a closed channel are results. Any other
// error is returned, and ends the program.
func settle(stack []uint64, err error) error {
	_, stopped := err.(*stackful.Interrupt) // its cause may be one of these errors
	switch {
	case !stopped && errors.Is(err, stackful.ErrTimeout):
		stack[0] = timedOut
	case !stopped && errors.Is(err, wait.ErrClosed):
		stack[0] = closed
	default:
		stack[0] = done
		return err
	}
	return nil
}

// store writes a value to an address that the program has given.
func store(c *wasm.Caller, at uint64, v int64) error {
	if !c.HasMemory() || !c.Module.Memory().WriteUint64Le(uint32(at), uint64(v)) {
		return fmt.Errorf("address %#x: %w", uint32(at), wasm.OutOfBounds)
	}
	return nil
}
