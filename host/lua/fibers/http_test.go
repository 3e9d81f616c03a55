package fibers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHTTPRequestsAreFibers(t *testing.T) {
	outdoors(t, `
		local seen = {}
		local s = http.serve("127.0.0.1:0", function(req)
			seen[#seen + 1] = req.method .. " " .. req.path .. "?" .. req.query .. " " .. req.body .. " " .. (req.headers["x-mark"] or "")
			fiber.sleep(0.0001)
			if req.path == "/table" then return { status = 404, body = "not here", headers = { ["X-Answer"] = 42 } } end
			if req.path == "/none" then return end
			return "hello from " .. fiber.self():name():match("^%u+ [%w/]+$")
		end)
		local url = "http://" .. s:addr()
		local r = http.get(url .. "/text?a=1")
		print(r.status, r.body, r.headers["content-length"])
		r = http.request{ url = url .. "/table", method = "post", body = "data", headers = { ["X-Mark"] = 7 } }
		print(r.status, r.body, r.headers["x-answer"])
		print(http.get(url .. "/none").status)
		print(table.concat(seen, "; "))
		print(s:close(5), s:wait(), tostring(s) == "server: " .. s:addr())`,
		"200\thello from GET /text\t20\n404\tnot here\t42\n204\nGET /text?a=1  ; POST /table? data 7; GET /none?  \ntrue\ttrue\ttrue\n")
}

// A handler that fails has no effect on other requests. The error is reported to the host of the
// program, not to the client.
func TestAHandlerThatFailsIsReportedAndTheServerContinues(t *testing.T) {
	s := set(t, real(1000))
	require.NoError(t, s.try(`
		local answers = {
			["/error"] = function() error("no such thing") end,
			["/status"] = function() return { status = 7 } end,
			["/body"] = function() return { body = {} } end,
			["/headers"] = function() return { headers = { a = print } } end,
			["/function"] = function() return print end,
			["/good"] = function() return 12 end,
		}
		local s = http.serve("127.0.0.1:0", function(req) return answers[req.path]() end)
		for _, path in ipairs{ "/error", "/status", "/body", "/headers", "/function", "/good" } do
			local r = http.get("http://" .. s:addr() .. path)
			print(path, r.status, r.body)
		end
		s:close()`))
	const plain = "\t500\tInternal Server Error\n"
	require.Equal(t, "/error"+plain+"/status"+plain+"/body"+plain+"/headers"+plain+"/function"+plain+"/good\t200\t12\n", s.printed())
	require.Len(t, s.failed, 5)
	for i, want := range []string{
		"p.lua:3: no such thing",
		"p.lua:10: the handler of GET /status returned the status 7; want a whole number from 200 to 999",
		"p.lua:10: the handler of GET /body returned a table as the body; want a string",
		"p.lua:10: the handler of GET /headers returned a header [a] = a function; want strings",
		"p.lua:10: the handler of GET /function returned a function; want a string, nil, or { status =, body =, headers = }",
	} {
		require.ErrorContains(t, s.failed[i], want)
	}
}

func TestAnEndlessHeaderIsAnErrorOfTheRequest(t *testing.T) {
	outdoors(t, `
		local l = net.listen("127.0.0.1:0")
		local server = fiber.spawn(function()
			local c = l:accept()
			c:read() -- an answer before the request is another error
			local line = "X-Long: " .. ("x"):rep(65536) .. "\r\n"
			c:write("HTTP/1.1 200 OK\r\n")
			for i = 1, 16384 do -- a gigabyte, if it were taken
				if not pcall(c.write, c, line) then return i < 1024 end
			end
			return false
		end)
		local url = "http://" .. l:addr()
		local _, e = pcall(http.get, url)
		print(e:match("server response headers exceeded %d+ bytes"), e:find(url, 1, true) ~= nil)
		l:close()
		print(server:join())`,
		"server response headers exceeded 1048576 bytes\ttrue\ntrue\ttrue\n")
}

// A server refuses an endless header too. Its client gets the reason, and other requests are not
// affected.
func TestAServerRefusesAnEndlessHeader(t *testing.T) {
	s := set(t, real(10_000)) // half a second each: the server waits, so that the answer arrives
	s.play(`
		local handled = {}
		local s = http.serve("127.0.0.1:0", function(req) handled[#handled + 1] = req.path return "well" end)
		local c = net.dial(s:addr())
		local answer = fiber.spawn(function() return c:read("*l") end)
		c:write("GET /endless HTTP/1.1\r\nHost: here\r\n")
		local line = "X-Long: " .. ("x"):rep(65536) .. "\r\n"
		local sent = 0
		while sent < 16384 and pcall(c.write, c, line) do sent = sent + 1 end -- a gigabyte
		print(sent < 1024)
		local told, status = answer:join()
		print(not told or status == "HTTP/1.1 431 Request Header Fields Too Large\r")
		print(http.get("http://" .. s:addr() .. "/short").body, #handled, handled[1])
		s:close()`)
	require.Equal(t, "true\ntrue\nwell\t1\t/short\n", s.printed())
}

// Main returns while requests are in progress: the server ends with all its fibers.
func TestAServerEndsWithTheProgram(t *testing.T) {
	outdoors(t, `
		local began = fiber.chan()
		local s = http.serve("127.0.0.1:0", function() began:send(true) fiber.sleep(1000) end)
		fiber.spawn(function() pcall(http.get, "http://" .. s:addr()) end)
		began:recv()
		print("over")`,
		"over\n")
}

func TestAHandlerDoesNotWaitForItself(t *testing.T) {
	s := set(t, real(1000))
	require.NoError(t, s.try(`
		local s
		s = http.serve("127.0.0.1:0", function(req)
			if req.path == "/wrong" then s:close() end
			fiber.spawn(s.close, s)
			return "closing"
		end)
		print(http.get("http://" .. s:addr() .. "/wrong").status)
		print(http.get("http://" .. s:addr() .. "/right").body)
		print(s:wait(60))`))
	require.Equal(t, "500\nclosing\ntrue\n", s.printed())
	require.Len(t, s.failed, 1)
	require.ErrorContains(t, s.failed[0], "p.lua:4: close: this fiber answers a request of the server")
}
