package fibers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
)

func TestTheOptionsOfAServerAreItsLimits(t *testing.T) {
	s := set(t, real(1000))
	var got fiberio.ServerConfig
	s.global("limits", func(L *glua.LState) int { got = options{s.env, L, 1, L.OptTable(1, nil)}.limits(); return 0 })
	for text, want := range map[string]fiberio.ServerConfig{
		"nil":                       {},
		"{ timeout = 1 }":           {},
		"{ idle_timeout = 0.25 }":   {IdleTimeout: 250 * time.Millisecond},
		"{ idle_timeout = 1e-12 }":  {IdleTimeout: 1},
		"{ body_timeout = 1 }":      {BodyTimeout: time.Second},
		"{ max_body = 1000 }":       {MaxBody: 1000},
		"{ max_connections = 7 }":   {MaxConnections: 7},
		"{ max_body = math.huge }":  {MaxBody: -1},
		"{ write_timeout = 1 / 0 }": {WriteTimeout: -1},
		"{ read_header_timeout = 1, max_bodies = 2, min_rate = 3 }": {ReadHeaderTimeout: time.Second, MaxBodies: 2, MinRate: 3},
	} {
		s.play("limits(" + text + ")")
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"{ max_body = 0 }":          "max_body: number of bytes above 0, or math.huge for no limit, expected, got 0",
		"{ max_body = -1 }":         "max_body: number of bytes above 0, or math.huge for no limit, expected, got -1",
		"{ max_body = 0 / 0 }":      "max_body: number of bytes above 0, or math.huge for no limit, expected, got ",
		"{ max_body = 1.5 }":        "max_body: whole number of bytes expected, got 1.5",
		"{ max_body = 2 ^ 63 }":     "max_body: whole number of bytes expected, got 9.2",
		"{ max_connections = 1.5 }": "max_connections: whole number of connections expected, got 1.5",
		"{ max_body = '9' }":        "max_body: number of bytes expected, got string",
		"{ idle_timeout = {} }":     "idle_timeout: number of seconds expected, got table",
		"{ idle_timeout = 1e300 }":  "idle_timeout: ",
	} {
		require.ErrorContains(t, s.try("limits("+text+")"), want, text)
	}
}

// The body of a request has a limit by default and by option. A stream has one only by option.
func TestAServerRefusesABodyBeyondMaxBody(t *testing.T) {
	outdoors(t, `
		local function size(request) return #request.body end
		local function streamed(request) return #request.body:read("*a") end
		local function post(f, options, n)
			local s = http.serve("127.0.0.1:0", f, options)
			local r = http.request{ url = "http://" .. s:addr(), method = "POST", body = ("x"):rep(n) }
			s:close()
			return r.status, r.status == 200 and r.body
		end
		print(post(size, { max_body = 10 }, 10))
		print(post(size, { max_body = 10 }, 11))
		print(post(size, { max_body = math.huge, max_bodies = 10 }, 11))
		print(post(streamed, { stream = true, max_body = 10 }, 10))
		print(post(streamed, { stream = true, max_body = 10 }, 11))`,
		"200\t10\n413\tfalse\n413\tfalse\n200\t10\n413\tfalse\n")
}

// A client for which the server has no connection waits until another client has closed its own.
func TestAServerHasAtMostMaxConnections(t *testing.T) {
	outdoors(t, `
		local s = http.serve("127.0.0.1:0", function(request) return request.path end, { max_connections = 2 })
		local conns = {}
		for i = 1, 4 do
			conns[i] = net.dial(s:addr())
			conns[i]:write("GET /" .. i .. " HTTP/1.1\r\nHost: here\r\n\r\n")
		end
		local function answer(i, timeout) return conns[i]:read("*l", timeout) end
		print(#answer(1), #answer(2), answer(3, 0.01), answer(4, 0.01))
		conns[2]:close()
		print(#answer(3), answer(4, 0.01))
		conns[1]:close()
		print(#answer(4))
		conns[3]:close() conns[4]:close()
		s:close()`,
		"16\t16\tnil\tnil\ttimeout\n16\tnil\ttimeout\n16\n")
}
