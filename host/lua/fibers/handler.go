package fibers

import (
	"fmt"
	"net/http"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// handler has a Lua function answer requests; it is called with the request.
func (h *Host) handler(fn *glua.LFunction, where string) fiberio.Handler {
	return func(f *stackful.Fiber, r *http.Request, body []byte) (*fiberio.Response, error) {
		return h.handle(f, fn, where, r, glua.LString(body))
	}
}

// handle has a Lua function answer a request, on the request's fiber.
func (h *Host) handle(f *stackful.Fiber, fn *glua.LFunction, where string, r *http.Request, body glua.LValue, more ...glua.LValue) (*fiberio.Response, error) {
	base := h.state.Base()
	t := &task{host: h, stack: f.Task()}
	v, err := h.code(t, where, h.state.Spawn(base), fn, append([]glua.LValue{requestTable(base, r, body)}, more...))(f)
	if err != nil {
		return nil, err
	}
	values, _ := v.([]glua.LValue)
	answer, err := responseOf(values)
	if err != nil {
		return nil, fmt.Errorf("%s: the handler of %s %s returned %w", where, r.Method, r.URL.Path, err)
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
			return fmt.Errorf("the status %s; want a whole number from 200 to 999", word(status))
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
