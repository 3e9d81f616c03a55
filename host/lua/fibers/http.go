package fibers

import (
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
	h.nameType(h.types.server, "server", func(L *glua.LState) string { return h.checkServer(L).addr })
}

// httpGet is http.get(url [, timeout]).
func (h *Host) httpGet(L *glua.LState) int {
	url, deadline := L.CheckString(1), h.deadline(L, 2)
	return h.fetch(L, "http.get", http.MethodGet, url, "", nil, deadline)
}

// httpRequest is http.request{ url =, method =, body =, headers = {}, timeout = }.
func (h *Host) httpRequest(L *glua.LState) int {
	o := options{h, L, 1, L.CheckTable(1)}
	url, method := o.text("url"), strings.ToUpper(o.text("method"))
	if url == "" {
		L.ArgError(1, `no url; want http.request{ url = "http://…" }`)
	}
	if method == "" {
		method = http.MethodGet
	}
	return h.fetch(L, "http.request", method, url, o.text("body"), o.table("headers"), o.timeout())
}

func (h *Host) fetch(L *glua.LState, call, method, url, body string, headers *glua.LTable, deadline fiber.Time) int {
	c, world := h.self(L), h.network(L, call)
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	h.check(L, err)
	if headers != nil {
		each(L, "headers", headers, r.Header.Set)
	}
	answer, err := world.Fetch(c.fiber, r, deadline)
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	result := L.NewTable()
	result.RawSetString("status", glua.LNumber(answer.Status))
	result.RawSetString("body", glua.LString(answer.Body))
	result.RawSetString("headers", headerTable(L, answer.Header))
	L.Push(result)
	return 1
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

// httpServe is http.serve(addr, f [, options]): each request is a fiber that calls
// f(request). The timeout is that of opening the port.
func (h *Host) httpServe(L *glua.LState) int {
	address, fn, o, c := L.CheckString(1), L.CheckFunction(2), h.optional(L, 3), h.self(L)
	world, where := h.network(L, "http.serve"), site(L)
	l, err := world.Listen(c.fiber, "tcp", address, o.timeout())
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	s := &server{host: h, addr: l.Addr().String()}
	s.Server = world.NewServer(func(f *stackful.Fiber, r *http.Request, body []byte) (*fiberio.Response, error) {
		return h.handle(f, fn, where, r, body)
	})
	s.serving, err = h.rt.Go("http.serve "+s.addr, func(f *stackful.Fiber) (any, error) { return nil, s.Serve(f, l, fiber.Never) })
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
	_, err := c.fiber.JoinBy(s.serving, deadline)
	return h.ended(L, c, err)
}

// closeServer is s:close([timeout]): it lets nobody in any more, and waits until the
// requests that are under way have been answered.
func (h *Host) closeServer(L *glua.LState) int {
	s, c, deadline := h.checkServer(L), h.self(L), h.deadline(L, 2)
	err := s.Shutdown(c.fiber, deadline)
	if err == nil {
		_, err = c.fiber.Join(s.serving)
	}
	return h.ended(L, c, err)
}
