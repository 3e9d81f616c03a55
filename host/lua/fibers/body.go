package fibers

import (
	"net/http"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// body is that of a message, read as it comes: of an answer, or, without an answer, of a
// request that is being handled.
type body struct {
	*stream
	host   *Host
	answer *fiberio.Body
}

func (b *body) home() *Host { return b.host }

// reply is the answer to a request as a handler writes it.
type reply struct {
	*fiberio.Stream
	host *Host
}

func (r *reply) home() *Host { return r.host }

func (h *Host) checkBody(L *glua.LState) *body   { return receiver[*body](h, L, "body", "b") }
func (h *Host) checkReply(L *glua.LState) *reply { return receiver[*reply](h, L, "reply", "r") }

func (h *Host) openBodies() {
	h.types.body = h.newType("http.body", map[string]glua.LGFunction{
		"read":  func(L *glua.LState) int { return h.readStream(L, h.checkBody(L).stream) },
		"lines": func(L *glua.LState) int { return h.streamLines(L, h.checkBody(L).stream) },
		"close": h.closeBody,
	})
	h.types.reply = h.newType("http.reply", map[string]glua.LGFunction{"head": h.headReply, "write": h.writeReply})
}

// closeBody may be called again: what it wants is so already. That of a request ends with
// its handler.
func (h *Host) closeBody(L *glua.LState) int {
	if b, c := h.checkBody(L), h.self(L); b.answer != nil {
		b.answer.Close(c.fiber)
	}
	return 0
}

// headReply is r:head(status [, headers]), before the first write.
func (h *Host) headReply(L *glua.LState) int {
	r := h.checkReply(L)
	r.SetStatus(int(integer(L, 2, "status", L.CheckNumber(2), 200, 999)))
	if headers := L.OptTable(3, nil); headers != nil {
		each(L, "headers", headers, r.Header().Set)
	}
	return 0
}

// writeReply is r:write(s [, timeout]).
func (h *Host) writeReply(L *glua.LState) int {
	r, c, s, deadline := h.checkReply(L), h.self(L), L.CheckString(2), h.deadline(L, 3)
	_, err := r.Write(c.fiber, []byte(s), deadline)
	return h.ended(L, c, err)
}

// fetchStream is the answer to a request whose body is read as it comes.
func (h *Host) fetchStream(L *glua.LState, c *carrier, world *fiberio.World, r *http.Request, o options) int {
	answer, err := world.Request(c.fiber, r, o.timeout())
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	b := &body{h.newStream(answer.Body, r.URL.String()), h, answer.Body}
	L.Push(answerTable(L, answer.Status, object(b, h.types.body), answer.Header))
	return 1
}

// pieces is a fiberio.StreamHandler: the function is called with the request, whose body it
// reads as it comes, and with the reply, which it may write in pieces.
func (a handler) pieces(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
	h := a.server.host
	b := &body{stream: h.newStream(x, "the body of "+x.Request.Method+" "+x.Request.URL.Path), host: h}
	return a.handle(f, x.Request, object(b, h.types.body), object(&reply{x, h}, h.types.reply))
}
