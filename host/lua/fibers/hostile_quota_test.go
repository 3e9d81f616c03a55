package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/quota"
)

// attack is a way to exhaust a resource with one function, which is f in the program. ... stands for its
// arguments.
type attack struct {
	resource string
	program  string
	only     string // the library that it is for; "" is all
}

// attacks are programs that never end by themselves.
var attacks = []attack{
	{"time", `while true do pcall(f, ...) end`, ""},
	{"memory", `local keep = {} while true do keep[#keep + 1] = {pcall(f, ...)} end`, ""},
	{"output", `while true do print(pcall(f, ...)) io.write(("x"):rep(999)) end`, ""},
	{"fibers", `while true do fiber.spawn(function(...) pcall(f, ...) fiber.sleep(1e6) end, ...) end`, ""},
	{"stack", `local function r(...) pcall(f, r, ...) return 1 + r(...) end while true do pcall(r, ...) end`, ""},
	{"coroutines", `local keep = {} while true do local co = coroutine.wrap(function(...) pcall(f, ...) coroutine.yield() end) keep[#keep + 1] = co pcall(co, ...) end`, ""},
	{"patterns", `local s, p = ("a"):rep(5000), ("a*"):rep(25) .. "b" while true do pcall(f, s, p) pcall(f, s, p, "%0") end`, "string"},
	{"deep data", `local t = {} for i = 1, 20000 do t = setmetatable({t, i}, {__index = t}) end while true do pcall(f, t, ...) pcall(f, t, t) end`, ""},
	{"cyclic data", `local t = {} t[1], t.t, t[t] = t, t, t setmetatable(t, {__call = t, __len = f, __eq = f, __lt = f, __concat = f}) while true do pcall(f, t, t) pcall(f, t, ...) end`, ""},
	{"error values", `local big = {("e"):rep(1e5)} local function fails() error(big, 0) end local keep = {} while true do keep[#keep + 1] = {pcall(f, fails, ...), xpcall(f, function(e) return {e, ("h"):rep(1e4)} end)} pcall(f, {1, 2, 3}, fails) end`, ""},
	{"long arguments", `local s = ("x"):rep(1e6) while true do pcall(f, s, 1e9, s) pcall(f, 1e9, s) pcall(f, s, s, s) end`, ""},
}

// arguments are the ... of the attacks: of each kind that the functions take.
const arguments = `("abc"):rep(1000), 1e6, {3, 1, 2}`

// hostileQuota is what a guest of the suite may use. Each resource is small enough to be exhausted in
// some hundredths of a second.
var hostileQuota = quota.Limits{
	Steps: 100_000, Memory: 8 << 20, Fibers: 300, Timers: 300, Operations: 50, Output: 64 << 10, Time: time.Hour,
}

// endsTheGuest are functions that end the guest themselves.
var endsTheGuest = []string{"os.exit"}

// libraryFunctions are the names of all functions that a program finds by globals.
func libraryFunctions(t *testing.T) (names []string) {
	h := fibers.New(fibers.Config{})
	defer h.Close()
	global := h.State().Base().G.Global
	global.ForEach(func(key, value glua.LValue) {
		name := key.String()
		switch v := value.(type) {
		case *glua.LFunction:
			names = append(names, name)
		case *glua.LTable:
			if name == "_G" || name == "package" {
				return
			}
			v.ForEach(func(member, value glua.LValue) {
				if _, is := value.(*glua.LFunction); is {
					names = append(names, name+"."+member.String())
				}
			})
		}
	})
	sort.Strings(names)
	require.Greater(t, len(names), 120)
	return names
}

// A program that exhausts a resource with a function of the library ends by a quota, which it cannot
// catch.
func TestEveryAttackWithALibraryFunctionEndsByAQuota(t *testing.T) {
	names, pairs := libraryFunctions(t), 0
	each := 16 // of the pairs
	if long.On(t) {
		each = 4
	}
	ended := map[quota.Resource]int{}
	for i, name := range names {
		for j, a := range attacks {
			if a.only != "" && !strings.HasPrefix(name, a.only+".") {
				continue
			}
			if pairs++; (i+j)%each != 0 {
				continue
			}
			var passed *quota.Error
			err := run(name, a)
			if slices.Contains(endsTheGuest, name) {
				continue
			}
			require.True(t, errors.As(err, &passed), "%s by %s ended with %v", a.resource, name, err)
			ended[passed.Resource]++
		}
	}
	require.GreaterOrEqual(t, pairs, 300)
	t.Logf("%d pairs; those that were run ended by %v", pairs, ended)
	for _, r := range []quota.Resource{quota.Steps, quota.Memory, quota.Output, quota.Fibers} {
		require.Positive(t, ended[r], r)
	}
}

func run(name string, a attack) error {
	h := fibers.New(fibers.Config{Quota: hostileQuota})
	defer h.Close()
	source := fmt.Sprintf("local f = %s\nlocal pcall, coroutine, fiber, print, io, setmetatable, error, xpcall = pcall, coroutine, fiber, print, io, setmetatable, error, xpcall\nlocal function attack(...) %s end attack(%s)", name, a.program, arguments)
	_, err := h.Run(context.Background(), strings.NewReader(source), "attack.lua")
	return err
}
