package fibers

import (
	"maps"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// body is the body of an HTTP message that a program reads as it arrives.
type body struct {
	*stream
	answer *fiberio.Body // the body of an answer; nil if it is that of a request
}

// reply is the answer to a request, which a handler writes in parts.
type reply struct{ *fiberio.Stream }

func (w *web) bodyMethods(t *typeOf[*body]) functions {
	methods := streamMethods(t, func(b *body) *stream { return b.stream })
	maps.Copy(methods, functions{
		// close may be called again. The body of a request is closed when its handler ends.
		"close": func(L *glua.LState) int {
			if c, b := t.op(L); b.answer != nil {
				b.answer.Close(c.fiber)
			}
			return 0
		},
	})
	return methods
}

func (w *web) replyMethods(t *typeOf[*reply]) functions {
	return functions{
		// head is r:head(status [, headers]), before the first write.
		"head": func(L *glua.LState) int {
			r := t.receiver(L)
			r.SetStatus(int(integer(L, 2, "status", L.CheckNumber(2), 200, 999)))
			if headers := L.OptTable(3, nil); headers != nil {
				each(L, "headers", headers, r.Header().Set)
			}
			return 0
		},
		// r:write(s [, timeout]) waits until the client accepts the data.
		"write": func(L *glua.LState) int {
			c, r := t.op(L)
			s, deadline := L.CheckString(2), c.deadline(3)
			_, err := r.Write(c.fiber, []byte(s), deadline)
			return c.ended(err)
		},
	}
}
