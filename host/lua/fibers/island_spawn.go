package fibers

import (
	"errors"
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

const islandEnded = "the island has ended"

// spawnRequest is a function on its way to another island.
type spawnRequest struct {
	host    *Host // the other island
	proto   *glua.FunctionProto
	args    transferable
	site    string
	results string // the name of the port for the result
	// cause is why the task was cancelled. The island of the task writes it before it closes
	// the port; the other island reads it after it has learned of that.
	cause error
}

// spawnOn is island:spawn(f, ...): a task of this island that ends as the fiber on the other
// island does. The result comes through a port, so that deadlock detection sees what the task
// waits for.
func (i *islands) spawnOn(L *glua.LState, to *islandHandle) int {
	fn := L.CheckFunction(2)
	proto, err := portable(fn)
	i.check(L, err)
	args, err := encode(copied(L, 3))
	i.check(L, err)
	i.state.Charge(2 * int64(args.size))
	if to.alive.Err() != nil {
		i.check(L, fmt.Errorf("spawn: %s: %s", islandName(to), islandEnded))
	}
	results, err := i.ports.open(L, i.objectName(L), 1)
	i.check(L, err)
	at := site(L)
	request := &spawnRequest{host: to.host, proto: proto, args: args, site: at, results: results.Name()}
	if err := to.host.rt().Scheduler().Inbox().Do(request.start); err != nil {
		_ = results.Close() // no error: it was open
		i.check(L, fmt.Errorf("spawn: %s: %s", islandName(to), plain(err)))
	}
	t := &task{}
	remote := &remoteTask{i, to, t, i.state.Discarded(L), results, request}
	to.results[results] = true
	t.stack, err = i.spawnWith(at, remote.wait, scheduler.Options{Link: remote})
	if err != nil {
		request.cause = err
		remote.close()
	}
	i.checkSpawn(L, err)
	return push(L, i.object(t))
}

// portable returns the code of a function that refers to nothing in its Lua state, so that
// another state can run it.
func portable(fn *glua.LFunction) (*glua.FunctionProto, error) {
	switch {
	case fn.IsG:
		return nil, errors.New("spawn: a Lua function expected, got one of the host's; wrap it in a function")
	case fn.Proto.NumUpvalues > 0:
		return nil, fmt.Errorf("spawn: the function uses the local variable %q of its surroundings, which the other island does not have; pass it as an argument", fn.Proto.DbgUpvalues[0])
	}
	return fn.Proto, nil
}

// start spawns the fiber. The other island executes it.
func (r *spawnRequest) start() {
	i := r.host.islands
	back, err := island.Dial[transferable](i.isle, r.results)
	if err != nil {
		return // the task has ended
	}
	base := i.state.Base()
	report := &exitReporter{env: i.env, back: back}
	spawn := func(site string, code stackful.Func) (*stackful.Task, error) {
		return i.spawnWith(site, report.after(code), scheduler.Options{Link: report})
	}
	t, err := i.start(spawn, r.site, i.state.Spawn(base), i.state.Function(r.proto), i.ports.decode(r.args))
	if err != nil {
		report.send(nil, err)
		return
	}
	back.OnClosed(func() { _ = i.rt.Scheduler().Cancel(t.stack.ID(), r.cause) }) // an error means that it has ended
}

// remoteTask is the task on this island: its fiber waits for the result from the other one.
type remoteTask struct {
	islands *islands
	on      *islandHandle
	task    *task
	// discarded: the program does not keep the task, so no fiber joins it.
	discarded bool
	results   *port
	*spawnRequest
}

// wait is the code of the fiber.
func (t *remoteTask) wait(f *stackful.Fiber) (any, error) {
	defer t.close()
	receive := island.RecvFrom(t.results)
	if _, err := f.Select(wait.NewSelect(receive)); err != nil {
		t.cause = err
		if i := new(stackful.Interrupt); errors.As(err, &i) {
			t.cause = i.Cause
		}
		return nil, err
	}
	result, ok := receive.Value()
	if !ok {
		return nil, &GuestError{Message: islandEnded, Value: glua.LString(islandEnded)}
	}
	values := t.islands.ports.decode(result)
	if values[0] != glua.LTrue {
		traceback, _ := values[2].(glua.LString)
		err := &GuestError{Value: values[1], Message: text(values[1]), Traceback: string(traceback)}
		return nil, &islandError{islandName(t.on), err}
	}
	return values[1:], nil
}

// Died reports a failure of a task that is not kept. It is also called for a fiber that was killed
// before its first time slice: then wait has not closed the port.
func (t *remoteTask) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	if t.on.results[t.results] {
		t.cause = d.Err
		t.close()
	}
	if t.discarded {
		t.islands.unobserved.Died(t.task.stack, d)
	}
	return wakes, orders
}

// close closes the port. If the fiber on the other island has not ended, that cancels it.
func (t *remoteTask) close() {
	delete(t.on.results, t.results)
	_ = t.results.Close() // an error means that it was closed with the island
}
