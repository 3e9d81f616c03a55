package fibers

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An option with a misspelt name would have no effect: a wait would have no limit, a connection no
// certificate. docs/lua.md has all options.
func TestAFunctionRefusesAnOptionThatItDoesNotHave(t *testing.T) {
	page, err := os.ReadFile("../../../docs/lua.md")
	require.NoError(t, err)
	s := set(t, real(1000))
	s.play(`listener = net.listen("127.0.0.1:0") conn = net.dial(listener:addr())`)
	const ofServer = "timeout, stream, tls, max_connections, read_header_timeout, idle_timeout, body_timeout, write_timeout, min_rate, max_body, max_bodies"
	for _, c := range []struct{ call, options string }{
		{`fiber.mutex{ * }`, "owner_death"},
		{`fiber.rwmutex{ * }`, "owner_death"},
		{`fiber.once{ * }`, "owner_death"},
		{`fiber.group{ * }`, "wait, rest"},
		{`fiber.scope(print, { * })`, "wait, timeout, name, steps, fibers, timers, operations, output, time"},
		{`fiber.select{ * }`, "default, timeout"},
		{`fiber.select{ { listener, "recv" }, * }`, ""}, // the case is refused first
		{`fiber.select{ { fiber.chan(), "recv" }, * }`, "default, timeout"},
		{`http.get("http://127.0.0.1:1", { * })`, "body, headers, timeout, stream"},
		{`http.request{ url = "http://127.0.0.1:1", * }`, "url, method, body, headers, timeout, stream"},
		{`http.serve("127.0.0.1:0", print, { * })`, ofServer},
		{`http.serve("127.0.0.1:0", print, { tls = { * } })`, "cert, key"},
		{`net.dial("127.0.0.1:1", { * })`, "timeout, tls"},
		{`net.dial("127.0.0.1:1", { tls = { * } })`, "name, ca"},
		{`conn:accept_tls{ * }`, "cert, key, timeout"},
		{`proc.run{ "true", * }`, "stdin, dir, env, timeout, linger"},
	} {
		for option, shown := range map[string]string{"timeuot = 1": "timeuot", "[0.5] = true": "a number", "[0] = 'x'": "a number", "[print] = 1": "a function"} {
			err := s.try(strings.Replace(c.call, "*", option, 1))
			if c.options == "" {
				require.Error(t, err)
				continue
			}
			require.ErrorContains(t, err, shown+": no such option; want one of "+c.options+")", c.call)
		}
		for option := range strings.SplitSeq(c.options, ", ") {
			require.Regexp(t, `\b`+option+`\b`, string(page), c.call)
		}
	}
	s.play(`conn:close() listener:close()`)
}

// The other functions take a timeout alone, and a table in its place is refused.
func TestAFunctionWithoutOptionsRefusesATable(t *testing.T) {
	s := set(t, real(1000))
	s.play(`ch, listener = fiber.chan(), net.listen("127.0.0.1:0") conn = net.dial(listener:addr())`)
	for _, call := range []string{
		`fs.read("x", *)`, `fs.write("x", "", *)`, `fs.list(".", *)`, `fs.stat(".", *)`, `net.listen("127.0.0.1:0", *)`, `net.lookup("127.0.0.1", *)`,
		`listener:accept(*)`, `conn:read(1, *)`, `conn:write("", *)`, `ch:send(1, *)`, `ch:recv(*)`, `fiber.mutex():lock(*)`, `fiber.group():wait(*)`,
		`fiber.semaphore(1):acquire(1, *)`, `fiber.once():run(print, *)`, `fiber.timer(1):wait(*)`, `fiber.port():recv(*)`, `fiber.spawn(print):join(*)`,
	} {
		require.ErrorContains(t, s.try(strings.Replace(call, "*", "{ timeout = 1 }", 1)), "timeout: number of seconds expected, got table", call)
	}
	s.play(`conn:close() listener:close()`)
}
