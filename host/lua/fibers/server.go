package fibers

import (
	"crypto/tls"
	"fmt"
	"net/http"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// server is an HTTP server. A fiber of its own accepts connections, and each request has a fiber.
type server struct {
	*fiberio.Server
	addr    string
	serving *stackful.Task
}

func serverAddr(s *server) string { return s.addr }

// serve is http.serve(addr, f [, timeout or { timeout =, stream =, tls =, max_body = … }]): the
// fiber of each request calls f(request), or f(request, reply) if stream is set. The timeout limits
// the opening of the port; see options.limits.
func (w *web) serve(L *glua.LState) int {
	address, fn, c := L.CheckString(1), L.CheckFunction(2), w.begin(L)
	o := w.timeoutOr(L, 3, "timeout", "stream", "tls", "max_connections", "read_header_timeout", "idle_timeout", "body_timeout", "write_timeout",
		"min_rate", "max_body", "max_bodies")
	world, where, limits, secure := w.network(L, "http.serve"), site(L), o.limits(), (*tls.Config)(nil)
	if t := o.within("tls", "cert", "key"); t.of != nil {
		secure = t.identity()
	}
	l, err := world.Listen(c.fiber, "tcp", address, o.timeout())
	if c.timedOut(err) {
		return 2
	}
	s := &server{addr: l.Addr().String()}
	if h := (handler{w, s, fn, where}); o.flag("stream") {
		s.Server = world.NewStreamServer(h.stream, limits)
	} else {
		s.Server = world.NewServer(h.whole, limits)
	}
	s.serving, err = w.spawnIn("http.serve "+s.addr, func(f *stackful.Fiber) (any, error) {
		if secure != nil {
			return nil, s.ServeTLS(f, l, secure, fiber.Never)
		}
		return nil, s.Serve(f, l, fiber.Never)
	})
	if err != nil {
		_ = l.Close()
		w.tasks.checkSpawn(L, err)
	}
	return push(L, w.servers.wrap(s))
}

func (w *web) serverMethods(t *typeOf[*server]) functions {
	return functions{
		"addr": t.string(serverAddr),
		// wait is s:wait([timeout]): it waits until the server is closed.
		"wait": func(L *glua.LState) int {
			c, s := t.op(L)
			_, err := c.fiber.JoinUntil(s.serving, c.deadline(2))
			return c.ended(err)
		},
		// close is s:close([timeout]): it accepts no new requests, and waits until those in
		// progress have been answered.
		"close": func(L *glua.LState) int {
			c, s := t.op(L)
			deadline := c.deadline(2)
			if c.task.answersFor == s && deadline == fiber.Never {
				L.RaiseError("close: this fiber answers a request of the server, and close waits until that is answered; let another fiber close it, or give a timeout")
			}
			err := s.Shutdown(c.fiber, deadline)
			if err == nil {
				_, err = c.fiber.Join(s.serving)
			}
			return c.ended(err)
		},
	}
}

// handler is a Lua function that handles the requests of a server.
type handler struct {
	*web
	server *server
	fn     *glua.LFunction
	where  string // the call of http.serve
}

// whole is a fiberio.Handler: the function gets the request with its body.
func (h handler) whole(f *stackful.Fiber, r *http.Request, body []byte) (*fiberio.Response, error) {
	return h.handle(f, r, glua.LString(body))
}

// stream is a fiberio.StreamHandler: the function reads the body of the request as it arrives,
// and gets a reply, which it may write in parts.
func (h handler) stream(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
	b := &body{stream: h.newStream(x, "the body of "+x.Request.Method+" "+x.Request.URL.Path)}
	return h.handle(f, x.Request, h.bodies.wrap(b), h.replies.wrap(&reply{x}))
}

// handle answers a request on the request's fiber.
func (h handler) handle(f *stackful.Fiber, r *http.Request, body glua.LValue, more ...glua.LValue) (*fiberio.Response, error) {
	base := h.state.Base()
	t := &task{stack: f.Task(), answersFor: h.server}
	request := requestTable(base, r, body)
	var size content
	size.add(request, 2)
	h.state.AllocBefore(size.bytes)
	args := append([]glua.LValue{request}, more...)
	c := &carrier{env: h.env, thread: h.state.Spawn(base), task: t, first: h.fn, args: args}
	v, err := c.code(h.where)(f)
	if err != nil {
		return nil, err
	}
	values, _ := v.([]glua.LValue)
	response, err := responseOf(values)
	if err != nil {
		return nil, fmt.Errorf("%s: the handler of %s %s returned %w", h.where, r.Method, r.URL.Path, err)
	}
	return response, nil
}
