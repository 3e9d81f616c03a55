package fibers

import (
	"crypto/tls"
	"maps"
	"net/http"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

func (h *Host) openHTTP() {
	h.library("http", map[string]glua.LGFunction{"get": h.httpGet, "request": h.httpRequest, "serve": h.httpServe})
	h.types.server = h.newType("http.server", map[string]glua.LGFunction{
		"addr": h.serverAddr, "wait": h.waitForServer, "close": h.closeServer,
	})
	h.openBodies()
	h.nameType(h.types.server, "server", func(L *glua.LState) string { return h.checkServer(L).addr })
}

// httpGet is http.get(url [, timeout]).
func (h *Host) httpGet(L *glua.LState) int {
	url, o := L.CheckString(1), h.optional(L, 2)
	return h.fetch(L, "http.get", http.MethodGet, url, o)
}

// httpRequest is http.request{ url =, method =, body =, headers = {}, timeout =, stream = }.
func (h *Host) httpRequest(L *glua.LState) int {
	o := options{h, L, 1, L.CheckTable(1)}
	url, method := o.text("url"), strings.ToUpper(o.text("method"))
	if url == "" {
		L.ArgError(1, `no url; want http.request{ url = "http://…" }`)
	}
	if method == "" {
		method = http.MethodGet
	}
	return h.fetch(L, "http.request", method, url, o)
}

func (h *Host) fetch(L *glua.LState, call, method, url string, o options) int {
	c, world := h.self(L), h.network(L, call)
	r, err := http.NewRequest(method, url, strings.NewReader(o.text("body")))
	h.check(L, err)
	if headers := o.table("headers"); headers != nil {
		each(L, "headers", headers, r.Header.Set)
	}
	if o.flag("stream") {
		return h.fetchStream(L, c, world, r, o)
	}
	answer, err := world.Fetch(c.fiber, r, o.timeout())
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	L.Push(answerTable(L, answer.Status, glua.LString(answer.Body), answer.Header))
	return 1
}

func answerTable(L *glua.LState, status int, body glua.LValue, header http.Header) *glua.LTable {
	t := L.NewTable()
	t.RawSetString("status", glua.LNumber(status))
	t.RawSetString("body", body)
	t.RawSetString("headers", headerTable(L, header))
	return t
}

// headerTable has names in lower case, and several values of one as a list with commas.
func headerTable(L *glua.LState, header http.Header) *glua.LTable {
	t := L.NewTable()
	for _, name := range slices.Sorted(maps.Keys(header)) {
		t.RawSetString(strings.ToLower(name), glua.LString(strings.Join(header[name], ", ")))
	}
	return t
}

// server is fiberio's as Lua programs hold it. A fiber of its own serves.
type server struct {
	*fiberio.Server
	host    *Host
	addr    string
	serving *stackful.Task
}

func (s *server) home() *Host { return s.host }

func (h *Host) checkServer(L *glua.LState) *server { return receiver[*server](h, L, "server", "s") }

// httpServe is http.serve(addr, f [, timeout or { timeout =, stream =, tls = }]): each
// request is a fiber that calls f(request), or f(request, reply) if it is to be a stream. The
// timeout is that of opening the port.
func (h *Host) httpServe(L *glua.LState) int {
	address, fn, o, c := L.CheckString(1), L.CheckFunction(2), h.optional(L, 3), h.self(L)
	world, where, secret := h.network(L, "http.serve"), site(L), (*tls.Config)(nil)
	if t := o.table("tls"); t != nil {
		secret = options{h, L, 3, t}.identity()
	}
	l, err := world.Listen(c.fiber, "tcp", address, o.timeout())
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	s := &server{host: h, addr: l.Addr().String()}
	if o.flag("stream") {
		s.Server = world.NewStreamServer(handler{s, fn, where}.pieces)
	} else {
		s.Server = world.NewServer(handler{s, fn, where}.whole)
	}
	s.serving, err = h.rt.Go("http.serve "+s.addr, func(f *stackful.Fiber) (any, error) {
		if secret != nil {
			return nil, s.ServeTLS(f, l, secret, fiber.Never)
		}
		return nil, s.Serve(f, l, fiber.Never)
	})
	if err != nil {
		_ = l.Close()
		h.checkSpawn(L, err)
	}
	L.Push(object(s, h.types.server))
	return 1
}

func (h *Host) serverAddr(L *glua.LState) int {
	L.Push(glua.LString(h.checkServer(L).addr))
	return 1
}

// waitForServer is s:wait([timeout]): until it is closed.
func (h *Host) waitForServer(L *glua.LState) int {
	s, c, deadline := h.checkServer(L), h.self(L), h.deadline(L, 2)
	_, err := c.fiber.JoinUntil(s.serving, deadline)
	return h.ended(L, c, err)
}

// closeServer is s:close([timeout]): it lets nobody in any more, and waits until the
// requests that are under way have been answered.
func (h *Host) closeServer(L *glua.LState) int {
	s, c, deadline := h.checkServer(L), h.self(L), h.deadline(L, 2)
	if c.task.answersFor == s && deadline == fiber.Never {
		L.RaiseError("close: this fiber answers a request of the server, and close waits until that is answered; let another fiber close it, or give a timeout")
	}
	err := s.Shutdown(c.fiber, deadline)
	if err == nil {
		_, err = c.fiber.Join(s.serving)
	}
	return h.ended(L, c, err)
}
