package fiberio

import (
	"errors"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// exchange passes one request from a goroutine of net/http to a fiber, and the response back.
// All fields but the channel belong to the owner.
type exchange struct {
	server  *Server
	request *http.Request
	handler func(*stackful.Fiber) (*Response, error)
	answer  chan *Response // has room for one, so that the owner never blocks
	memory  *claim         // of the request's body, until the fiber has ended; nil if it has none
	task    *stackful.Task // nil if there is no fiber
	done    bool
}

// begin spawns the fiber. The owner calls it between two slices.
func (x *exchange) begin() {
	if x.request.Context().Err() != nil {
		x.release() // the client has gone away
		return
	}
	task, err := x.server.world.rt.GoWith(x.request.Method+" "+x.request.URL.Path, x.handle, scheduler.Options{Link: x, Group: x.server.group})
	if err != nil {
		x.release()
		x.reply(&Response{Status: http.StatusServiceUnavailable})
		return
	}
	x.task = task
}

// release gives the memory of the request's body back.
func (x *exchange) release() {
	if x.memory != nil {
		x.memory.release()
	}
}

// exchange makes the exchange of a request, whose fiber calls handler.
func (s *Server) exchange(r *http.Request, handler func(*stackful.Fiber) (*Response, error)) *exchange {
	return &exchange{server: s, request: r, handler: handler, answer: make(chan *Response, 1)}
}

// await has a fiber respond and waits for the response; nil if the client has gone away. It
// runs on a goroutine of net/http.
func (x *exchange) await() *Response {
	// A command and not a spawn: only the owner may touch the scheduler.
	world := x.server.world
	if err := world.rt.Scheduler().Inbox().Do(x.begin); err != nil {
		x.release()
		return unavailable(err)
	}
	select {
	case answer := <-x.answer:
		return answer
	case <-x.request.Context().Done():
		world.pools.disconnects.add(x)
		return nil
	}
}

// unavailable is the response when the scheduler takes no command.
func unavailable(err error) *Response {
	why := "the server is closed"
	if errors.Is(err, scheduler.ErrInboxFull) {
		why = "the server is busy"
	}
	return &Response{Status: http.StatusServiceUnavailable, Body: []byte(why)}
}

// handle is the body of the fiber.
func (x *exchange) handle(f *stackful.Fiber) (any, error) {
	answer, err := x.handler(f)
	if err != nil {
		return nil, err
	}
	if answer == nil {
		answer = &Response{Status: http.StatusNoContent}
	}
	x.reply(answer)
	return nil, nil
}

// Died reports a failure, and responds for a fiber that has not: it failed, panicked, or was killed before it began.
func (x *exchange) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	x.release()
	x.server.world.unobserved.Died(x.task, d) // no fiber joins it; a client that has the response finds the report
	if !x.done {
		x.reply(&Response{Status: http.StatusInternalServerError, Body: []byte(http.StatusText(http.StatusInternalServerError))})
	}
	return wakes, orders
}

// reply responds once; further calls have no effect.
func (x *exchange) reply(r *Response) {
	if !x.done {
		x.done = true
		x.answer <- r
	}
}

// cancel cancels the fiber of a client that has gone away.
func (x *exchange) cancel() {
	if x.task != nil && !x.done {
		_ = x.server.world.rt.Scheduler().Cancel(x.task.ID(), ErrClientGone) // it may have ended meanwhile
	}
}
