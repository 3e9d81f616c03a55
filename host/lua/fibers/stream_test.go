package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each part arrives before the next is written.
func TestBodiesAreReadAndWrittenInPieces(t *testing.T) {
	outdoors(t, `
		local go_on = fiber.chan()
		local s = http.serve("127.0.0.1:0", function(request, reply)
			if request.path == "/upload" then
				local lines = {}
				for line in request.body:lines() do lines[#lines + 1] = line end
				return { status = 201, body = #lines .. " lines, the last is " .. lines[#lines] }
			end
			reply:head(203, { ["X-Mark"] = "m" })
			for _, piece in ipairs{ "one\n", "two\n", "three" } do
				assert(reply:write(piece, 60))
				go_on:recv()
			end
		end, { stream = true })
		local r = http.get("http://" .. s:addr(), { stream = true, timeout = 60 })
		print(r.status, r.headers["x-mark"])
		print(r.body:read(0 + 2), r.body:read("*l"))
		print(r.body:read("*l", 0.001))
		go_on:send(true)
		print(r.body:read("*l"))
		go_on:send(true)
		print(r.body:read(), r.body:read(1, 0.001))
		go_on:send(true)
		print(r.body:read(), r.body:read("*a"))
		r.body:close() r.body:close()
		print(select(2, pcall(r.body.read, r.body)):match("use of closed.*"))
		r = http.request{ url = "http://" .. s:addr() .. "/upload", method = "put", body = ("x\n"):rep(10000) .. "end" }
		print(r.status, r.body)
		s:close()`,
		"203\tm\non\te\nnil\ttimeout\ntwo\nthree\tnil\ttimeout\nnil\t\n"+
			"use of closed network connection\n201\t10001 lines, the last is end\n")
}

func TestAStreamThatFailsIsNoWholeAnswer(t *testing.T) {
	s := set(t, real(1000))
	require.NoError(t, s.try(`
		local s = http.serve("127.0.0.1:0", function(request, reply)
			reply:write("half")
			error("no more")
		end, { stream = true })
		local r = http.get("http://" .. s:addr(), { stream = true })
		print(r.body:read(4))
		local ok, why = pcall(r.body.read, r.body, "*a")
		print(ok, (why:gsub(s:addr(), "HERE")))
		s:close()`))
	require.Equal(t, "half\nfalse\tp.lua:8: Read \"http://HERE\": unexpected EOF\n", s.printed())
	require.Len(t, s.failed, 1)
	require.ErrorContains(t, s.failed[0], "p.lua:4: no more")
}
