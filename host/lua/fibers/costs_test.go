//go:build !race

package fibers

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// Sizes of the arguments in the calls below, and what they cost in steps.
const (
	textSteps = 1 << 18 / 256 // a long string is read or written
	manySteps = 1600 / 16     // many values are passed
	caseSteps = 1600          // so many cases, tasks or fibers are looked at
)

// costly are hostile calls of the functions whose work depends on their arguments, and the least work that
// each does.
var costly = map[string]struct {
	call  string
	least int64
}{
	"fs.list": {`fs.list(dir)`, 0}, "fs.read": {`fs.write(path, s) fs.read(path)`, 2 * textSteps}, "fs.write": {`fs.write(path, s)`, textSteps},
	"fs.stat": {`pcall(fs.stat, s)`, textSteps}, "proc.run": {`proc.run{ "cat", stdin = s }`, textSteps},
	"http.get": {`http.get(url)`, textSteps}, "http.request": {`http.request{ url = url, method = "POST", body = s }`, textSteps},
	"net.dial": {`pcall(net.dial, s)`, textSteps}, "net.listen": {`pcall(net.listen, s)`, textSteps}, "net.lookup": {`pcall(net.lookup, s)`, textSteps},
	"http.serve":          {`pcall(http.serve, s, print)`, textSteps},
	"<net.conn>.write":    {`conn:write(s)`, textSteps},
	"<net.conn>.read":     {`conn:write(s) local n = 0 while n < #s do n = n + #conn:read(2^16) end`, 2 * textSteps},
	"fiber.select":        {`fiber.select(cases)`, caseSteps},
	"fiber.spawn":         {`fiber.spawn(type, many()):join()`, manySteps},
	"<fiber.task>.join":   {`fiber.spawn(many):join()`, manySteps},
	"<fiber.group>.wait":  {`local g = fiber.group() for i = 1, 1600 do g:spawn(type, 1) end g:wait()`, caseSteps},
	"<fiber.task>.cancel": {`local t = fiber.spawn(fiber.yield) t:cancel(s) pcall(t.join, t)`, textSteps},
	"fiber.report":        {`local stay = fiber.chan() for i = 1, 1600 do fiber.spawn(function() stay:recv() end) end fiber.yield() mark() fiber.report()`, caseSteps},
}

// setting makes an object of each kind, and what the calls take.
const setting = `
	s, ones, cases = ("x"):rep(2^18), {}, {}
	for i = 1, 1600 do ones[i], cases[i] = i, { fiber.chan(1), "recv" } end
	cases.default = true
	function many() return unpack(ones) end
	local ready = fiber.chan(1)
	ready:send(1)
	objects = { ["fiber.chan"] = ready, ["fiber.cond"] = fiber.cond(fiber.mutex()), ["fiber.group"] = fiber.group(),
		["fiber.mutex"] = fiber.mutex(), ["fiber.once"] = fiber.once(), ["fiber.port"] = fiber.port(), ["fiber.rwmutex"] = fiber.rwmutex(),
		["fiber.semaphore"] = fiber.semaphore(1), ["fiber.timer"] = fiber.timer(1), ["fiber.task"] = fiber.spawn(function() end) }
	listener = net.listen("127.0.0.1:0")
	fiber.spawn(function()
		local c = listener:accept()
		for data in function() return c:read() end do c:write(data) end
	end)
	conn = net.dial(listener:addr())
	objects["net.conn"], objects["net.listener"] = conn, listener
	fiber.yield()`

// longArguments calls a function with every kind of long argument, in a fiber that is cancelled if it waits.
const longArguments = `
	for _, arguments in ipairs{ { s }, { s, s }, { many() }, { function() return many() end }, { cases } } do
		if self then table.insert(arguments, 1, self) end
		local task = fiber.spawn(function() pcall(called, unpack(arguments)) end)
		fiber.yield()
		task:cancel()
		pcall(task.join, task)
	end`

// priced counts the steps and the allocated bytes between two marks.
type priced struct {
	*stage
	steps []int64
	bytes []uint64
}

func newPriced(t *testing.T) *priced {
	t.Chdir(t.TempDir())
	p := &priced{stage: set(t, real(16))}
	p.global("mark", func(*glua.LState) int {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		p.steps, p.bytes = append(p.steps, p.Spent().Steps), append(p.bytes, m.TotalAlloc)
		return 0
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat("x", 1<<18)))
	}))
	t.Cleanup(server.Close)
	base := p.State().Base()
	base.SetGlobal("url", lstring(server.URL))
	base.SetGlobal("dir", lstring(t.TempDir()))
	base.SetGlobal("path", lstring(filepath.Join(t.TempDir(), "file")))
	return p
}

// functionsOf are the names of all functions of the libraries, and of the methods of their objects.
func (s *stage) functionsOf() (names []string) {
	members := func(of string, table *glua.LTable) {
		table.ForEach(func(name, v glua.LValue) {
			if _, ok := v.(*glua.LFunction); ok {
				names = append(names, of+"."+name.String())
			}
		})
	}
	for _, library := range []string{"fiber", "fs", "http", "net", "proc"} {
		members(library, s.State().Base().GetGlobal(library).(*glua.LTable))
	}
	for _, kind := range s.env.types {
		of := "<" + kind.metatable().RawGetString("__metatable").String() + ">"
		members(of, kind.metatable())
		if methods, ok := kind.metatable().RawGetString("__index").(*glua.LTable); ok {
			members(of, methods)
		}
	}
	return names
}

// price runs a call between two marks, in a program of its own.
func price(t *testing.T, call string) (steps int64, allocated uint64) {
	p := newPriced(t)
	_, err := p.Run(p.ctx, strings.NewReader(setting+"\nmark()\n"+call+"\nmark()"), "p.lua")
	require.NoError(t, err)
	last := len(p.steps) - 1 // a call may have a mark behind its own preparation
	return p.steps[last] - p.steps[last-1], p.bytes[last] - p.bytes[last-1]
}

// Every function of the libraries is called with long arguments: one that is new is called too. What it
// allocates is paid for in steps. The functions whose work depends on their arguments are in a table.
func TestEveryFunctionPaysForItsWork(t *testing.T) {
	for _, name := range set(t, slice(16)).functionsOf() {
		t.Run(name, func(t *testing.T) {
			row, known := costly[name]
			if !known {
				row.call = "called = " + name + longArguments
				if of, method, isMethod := strings.Cut(strings.TrimPrefix(name, "<"), ">."); isMethod {
					row.call = "self = objects[\"" + of + "\"] called = self and self[\"" + method + "\"] or type" + longArguments
				}
			}
			steps, allocated := price(t, row.call)
			require.GreaterOrEqual(t, steps+32, row.least)
			require.LessOrEqual(t, allocated, uint64(1<<20+16*256*steps), "%d steps", steps)
		})
	}
}
