package fibers

import (
	"net/http"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

// web has the library http.
type web struct {
	*external
	tasks   *tasks
	servers *typeOf[*server]
	bodies  *typeOf[*body]
	replies *typeOf[*reply]
}

func openHTTP(x *external, t *tasks) {
	w := &web{external: x, tasks: t}
	w.module("http", functions{"get": w.get, "request": w.request, "serve": w.serve})
	w.servers = newType(x.env, typeSpec[*server]{library: "http", kind: "server", self: "s", show: serverAddr, methods: w.serverMethods})
	w.bodies = newType(x.env, typeSpec[*body]{library: "http", kind: "body", self: "b", methods: w.bodyMethods})
	w.replies = newType(x.env, typeSpec[*reply]{library: "http", kind: "reply", self: "r", methods: w.replyMethods})
}

// get is http.get(url [, timeout or options]).
func (w *web) get(L *glua.LState) int {
	url, o := L.CheckString(1), w.timeoutOr(L, 2, "body", "headers", "timeout", "stream")
	return w.fetch(L, "http.get", http.MethodGet, url, o)
}

// request is http.request{ url =, method =, body =, headers = {}, timeout =, stream = }.
func (w *web) request(L *glua.LState) int {
	L.CheckTable(1)
	o := w.options(L, 1, 0, "url", "method", "body", "headers", "timeout", "stream")
	url, method := o.text("url"), strings.ToUpper(o.text("method"))
	if url == "" {
		L.ArgError(1, `no url; want http.request{ url = "http://…" }`)
	}
	if method == "" {
		method = http.MethodGet
	}
	return w.fetch(L, "http.request", method, url, o)
}

func (w *web) fetch(L *glua.LState, function, method, url string, o options) int {
	c, world := w.begin(L), w.network(L, function)
	r, err := http.NewRequest(method, url, strings.NewReader(o.text("body")))
	w.check(L, err)
	if headers := o.table("headers"); headers != nil {
		each(L, "headers", headers, r.Header.Set)
	}
	if o.flag("stream") {
		return w.fetchStream(c, world, r, o)
	}
	answer, err := world.Fetch(c.fiber, r, o.timeout())
	if c.timedOut(err) {
		return 2
	}
	return push(L, answerTable(L, answer.Status, glua.LString(answer.Body), answer.Header))
}

// fetchStream returns an answer whose body the program reads as it arrives.
func (w *web) fetchStream(c call, world *fiberio.World, r *http.Request, o options) int {
	answer, err := world.Request(c.fiber, r, o.timeout())
	if c.timedOut(err) {
		return 2
	}
	b := &body{w.newStream(answer.Body, r.URL.String()), answer.Body}
	return push(c.L, answerTable(c.L, answer.Status, w.bodies.wrap(b), answer.Header))
}
