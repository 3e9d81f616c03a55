package fibers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
)

func ExamplePool() {
	program, err := Compile(strings.NewReader(`count = (count or 0) + 1 return count`), "tenant.lua")
	if err != nil {
		panic(err)
	}
	pool := NewPool(PoolConfig{Ready: 2})
	defer pool.Close()
	for range 3 {
		host, err := pool.Take(context.Background())
		if err != nil {
			panic(err)
		}
		values, err := host.Call(context.Background(), program)
		fmt.Println(values, err)
		host.Close()
	}
	// Output:
	// [1] <nil>
	// [1] <nil>
	// [1] <nil>
}

// vandal writes to all that a program can reach: the entries of tables, metatables, and upvalues and
// environments of functions.
const vandal = `
local next, pcall, rawget, rawset, setfenv, ipairs, type = next, pcall, rawget, rawset, setfenv, ipairs, type
local metatable, setmetatable, upvalue, setupvalue = debug.getmetatable, debug.setmetatable, debug.getupvalue, debug.setupvalue
local seen = {}
local function visit(v)
  if v == nil or seen[v] or v == seen then return end
  seen[v] = true
  visit(metatable(v))
  if type(v) == "table" then
    local keys = {}
    for k in next, v do keys[#keys + 1] = k end
    for _, k in ipairs(keys) do
      local member = rawget(v, k)
      visit(k) visit(member)
      if v ~= _G then pcall(rawset, v, k, "changed") end
    end
    rawset(v, "mark of a tenant", true)
    pcall(setmetatable, v, {})
  elseif type(v) == "function" then
    pcall(setfenv, v, { ["mark of a tenant"] = true })
    for i = 1, 20 do
      local ok, name, up = pcall(upvalue, v, i)
      if not ok or not name then break end
      visit(up)
      pcall(setupvalue, v, i, "changed")
    end
  end
end
visit(metatable(""))
visit(_G)
assert(_G["mark of a tenant"])
return true`

const honest = `
assert(rawget(_G, "mark of a tenant") == nil)
assert(("x"):rep(3) == "xxx" and type(print) == "function" and math.floor(1.5) == 1)
assert(rawget(string, "mark of a tenant") == nil and getmetatable("")["mark of a tenant"] == nil)
local ch = fiber.chan(1)
ch:send(7)
return (ch:recv())`

func TestAGuestFindsNothingThatAnotherHasChanged(t *testing.T) {
	pool := NewPool(PoolConfig{})
	defer pool.Close()
	ctx := context.Background()
	for range 10 {
		h, err := pool.Take(ctx)
		require.NoError(t, err)
		values, err := h.Run(ctx, strings.NewReader(honest), "honest.lua")
		require.NoError(t, err)
		require.Equal(t, []glua.LValue{glua.LNumber(7)}, values)
		_, err = h.Run(ctx, strings.NewReader(vandal), "vandal.lua")
		require.NoError(t, err)
		h.Close()
	}
}

func TestTwoGuestsShareNoObjectThatCanChange(t *testing.T) {
	pool := NewPool(PoolConfig{})
	defer pool.Close()
	var of [2]map[any]string
	for i := range of {
		h, err := pool.Take(context.Background())
		require.NoError(t, err)
		defer h.Close()
		of[i] = map[any]string{}
		g := h.State().Base().G
		reach(of[i], g.Global, "_G")
		reach(of[i], g.Registry, "registry")
		for _, mt := range metatables(g) {
			reach(of[i], mt, "a metatable")
		}
		require.Greater(t, len(of[i]), 200)
	}
	for object, place := range of[0] {
		_, shared := of[1][object]
		require.False(t, shared, place)
	}
}

// metatables are those of the basic types, which gopher-lua keeps in an unexported field.
func metatables(g *glua.Global) (all []glua.LValue) {
	L := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer L.Close()
	L.G = g
	for _, v := range []glua.LValue{glua.LString(""), glua.LNumber(0), glua.LTrue, glua.LNil} {
		all = append(all, L.GetMetatable(v))
	}
	return all
}

// reach collects the tables, functions, upvalues, threads and Go objects that a value leads to.
func reach(seen map[any]string, v glua.LValue, place string) {
	add := func(object any) bool {
		_, known := seen[object]
		seen[object] = place
		return !known
	}
	switch v := v.(type) {
	case *glua.LTable:
		if add(v) {
			v.ForEach(func(key, value glua.LValue) {
				reach(seen, key, place)
				reach(seen, value, place+"."+key.String())
			})
			reach(seen, v.Metatable, place+"'s metatable")
		}
	case *glua.LFunction:
		if add(v) {
			reach(seen, v.Env, place+"'s environment")
			for _, up := range v.Upvalues {
				add(up)
				reach(seen, up.Value(), place+"'s upvalue")
			}
		}
	case *glua.LUserData:
		if add(v) {
			reach(seen, v.Env, place+"'s environment")
			reach(seen, v.Metatable, place+"'s metatable")
			if of := reflect.ValueOf(v.Value); of.Kind() == reflect.Pointer {
				add(v.Value)
			}
		}
	}
}

func TestAPoolGivesTheErrorOfSetupAndNothingAfterClose(t *testing.T) {
	wrong := errors.New("no license")
	pool := NewPool(PoolConfig{Setup: func(*Host) error { return wrong }})
	_, err := pool.Take(context.Background())
	require.ErrorIs(t, err, wrong)
	pool.Close()
	pool.Close()
	_, err = pool.Take(context.Background())
	require.ErrorIs(t, err, scheduler.ErrStopped)

	pool = NewPool(PoolConfig{Ready: 1, Setup: func(h *Host) error {
		h.State().Base().SetGlobal("license", glua.LString("given"))
		return nil
	}})
	defer pool.Close()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		h, err := pool.Take(context.Background())
		require.NoError(t, err)
		values, err := h.Run(context.Background(), strings.NewReader(`return license`), "p.lua")
		require.NoError(t, err)
		require.Equal(t, []glua.LValue{glua.LString("given")}, values)
		h.Close()
		if h, err := pool.Take(ended); err == nil { // one may be ready
			h.Close()
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
	}
}
