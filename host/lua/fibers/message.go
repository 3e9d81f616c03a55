package fibers

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// HTTP messages as Lua tables.

func answerTable(L *glua.LState, status int, body glua.LValue, header http.Header) *glua.LTable {
	t := L.NewTable()
	t.RawSetString("status", glua.LNumber(status))
	t.RawSetString("body", body)
	t.RawSetString("headers", headerTable(L, header))
	return t
}

// headerTable has the names in lower case. Several values of one name are separated by commas.
func headerTable(L *glua.LState, header http.Header) *glua.LTable {
	t := L.NewTable()
	for _, name := range slices.Sorted(maps.Keys(header)) {
		t.RawSetString(strings.ToLower(name), glua.LString(strings.Join(header[name], ", ")))
	}
	return t
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

// responseOf is the response that the results of a handler describe: none, a body, or a table
// of status, body and headers.
func responseOf(values []glua.LValue) (*fiberio.Response, error) {
	if len(values) == 0 {
		return nil, nil
	}
	response := &fiberio.Response{Status: http.StatusOK, Header: http.Header{}}
	switch v := values[0].(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LString, glua.LNumber:
		response.Body = []byte(v.String())
	case *glua.LTable:
		return response, fill(response, v)
	default:
		return nil, fmt.Errorf("a %s; want a string, nil, or { status =, body =, headers = }", typeName(v))
	}
	return response, nil
}

// fill reads a response from a table.
func fill(response *fiberio.Response, t *glua.LTable) error {
	if status := t.RawGetString("status"); status != glua.LNil {
		n, ok := status.(glua.LNumber)
		if !ok || n < 200 || n > 999 || n != glua.LNumber(int(n)) {
			return fmt.Errorf("the status %s; want a whole number from 200 to 999", figure(status))
		}
		response.Status = int(n)
	}
	switch body := t.RawGetString("body"); {
	case glua.LVCanConvToString(body):
		response.Body = []byte(body.String())
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
		response.Header.Set(name.String(), value.String())
	}
	return nil
}

// figure is a number as text, and the type of any other value.
func figure(v glua.LValue) string {
	if n, ok := v.(glua.LNumber); ok {
		return n.String()
	}
	return word(v)
}
