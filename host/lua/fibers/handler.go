package fibers

import (
	"fmt"
	"net/http"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// handler is a Lua function that answers the requests of a server, made at a place in the
// program.
type handler struct {
	server *server
	fn     *glua.LFunction
	where  string
}

// whole is a fiberio.Handler: the function is called with the request.
func (a handler) whole(f *stackful.Fiber, r *http.Request, body []byte) (*fiberio.Response, error) {
	return a.handle(f, r, glua.LString(body))
}

// handle answers a request, on the request's fiber.
func (a handler) handle(f *stackful.Fiber, r *http.Request, body glua.LValue, more ...glua.LValue) (*fiberio.Response, error) {
	h := a.server.host
	base := h.state.Base()
	t := &task{host: h, stack: f.Task(), answersFor: a.server}
	v, err := h.code(t, a.where, h.state.Spawn(base), a.fn, append([]glua.LValue{requestTable(base, r, body)}, more...))(f)
	if err != nil {
		return nil, err
	}
	values, _ := v.([]glua.LValue)
	answer, err := responseOf(values)
	if err != nil {
		return nil, fmt.Errorf("%s: the handler of %s %s returned %w", a.where, r.Method, r.URL.Path, err)
	}
	return answer, nil
}

func requestTable(L *glua.LState, r *http.Request, body glua.LValue) *glua.LTable {
	t := L.NewTable()
	for _, field := range [][2]string{
		{"method", r.Method}, {"path", r.URL.Path}, {"query", r.URL.RawQuery}, {"remote", r.RemoteAddr}, {"host", r.Host},
	} {
		t.RawSetString(field[0], glua.LString(field[1]))
	}
	t.RawSetString("body", body)
	t.RawSetString("headers", headerTable(L, r.Header))
	return t
}

// responseOf is what a handler's results mean: nothing, a body, or a table of status, body
// and headers.
func responseOf(values []glua.LValue) (*fiberio.Response, error) {
	if len(values) == 0 {
		return nil, nil
	}
	a := &fiberio.Response{Status: http.StatusOK, Header: http.Header{}}
	switch v := values[0].(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LString, glua.LNumber:
		a.Body = []byte(v.String())
	case *glua.LTable:
		return a, describedBy(a, v)
	default:
		return nil, fmt.Errorf("a %s; want a string, nil, or { status =, body =, headers = }", typeName(v))
	}
	return a, nil
}

func describedBy(a *fiberio.Response, t *glua.LTable) error {
	if status := t.RawGetString("status"); status != glua.LNil {
		n, ok := status.(glua.LNumber)
		if !ok || n < 200 || n > 999 || n != glua.LNumber(int(n)) {
			return fmt.Errorf("the status %s; want a whole number from 200 to 999", figure(status))
		}
		a.Status = int(n)
	}
	switch body := t.RawGetString("body"); {
	case glua.LVCanConvToString(body):
		a.Body = []byte(body.String())
	case body != glua.LNil:
		return fmt.Errorf("a %s as the body; want a string", typeName(body))
	}
	headers, ok := t.RawGetString("headers").(*glua.LTable)
	if !ok && t.RawGetString("headers") != glua.LNil {
		return fmt.Errorf("a %s as the headers; want a table", typeName(t.RawGetString("headers")))
	}
	if headers == nil {
		return nil
	}
	for name, value := range pairs(headers) {
		if !glua.LVCanConvToString(name) || !glua.LVCanConvToString(value) {
			return fmt.Errorf("a header [%s] = %s; want strings", word(name), word(value))
		}
		a.Header.Set(name.String(), value.String())
	}
	return nil
}

// figure is a number, or what is there instead.
func figure(v glua.LValue) string {
	if n, ok := v.(glua.LNumber); ok {
		return n.String()
	}
	return word(v)
}
