package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
)

// exitReporter sends the result of a fiber to the task on another island that waits for it.
type exitReporter struct {
	env  *env // of this island
	back *island.Sender[transferable]
	sent bool
}

// after returns the code of the fiber, followed by the report.
func (r *exitReporter) after(code stackful.Func) stackful.Func {
	return func(f *stackful.Fiber) (any, error) {
		result, err := code(f)
		values, _ := result.([]glua.LValue)
		r.send(values, err)
		return nil, nil // the task has the error
	}
}

// Died reports a fiber that was killed before its first time slice.
func (r *exitReporter) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	if !r.sent && r.env.exit == nil { // after os.exit the task waits until its island is stopped too
		r.send(nil, d.Err)
	}
	return wakes, orders
}

// send never waits: the port has room for the one result. The result is true and the values, or
// false, the error and the traceback; nil if there is none.
func (r *exitReporter) send(values []glua.LValue, err error) {
	r.sent = true
	result := transferable{}
	if err == nil {
		result, err = encode(append([]glua.LValue{glua.LTrue}, values...))
	}
	if err != nil {
		result = transferable{values: []any{glua.LFalse, glua.LString(message(err)), nil}}
		if g := new(GuestError); errors.As(err, &g) {
			result.values[2] = glua.LString(g.Traceback)
			if value, wrong := encode([]glua.LValue{g.Value}); wrong == nil {
				result.values[1] = value.values[0]
			}
		}
	}
	_, _ = r.back.TrySend(result) // an error means that the task has ended
	_ = r.back.Close()
}

func message(err error) string {
	if g := new(GuestError); errors.As(err, &g) {
		return g.Message
	}
	return plain(err)
}
