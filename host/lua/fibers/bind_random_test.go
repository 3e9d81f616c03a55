package fibers

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/internal/anyvalue"
)

// A random type is the parameter and the result of a Go function, which a Lua function calls that Go has
// called.
func TestValuesOfRandomTypesPassThroughLuaAndComeBackEqual(t *testing.T) {
	s := set(t, Config{})
	s.play(`function through(...) return bound(...) end`)
	rapid.Check(t, func(t *rapid.T) {
		from := anyvalue.Source(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
		typ := from.Type(3)
		in, out, seen := from.Value(typ, true), reflect.New(typ), reflect.New(typ)
		same := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{typ}, []reflect.Type{typ}, false), func(args []reflect.Value) []reflect.Value {
			seen.Elem().Set(args[0])
			return args
		})
		f, err := bind.New(same.Interface())
		require.NoError(t, err)
		require.NoError(t, s.Bind("bound", f))
		require.NoError(t, s.CallInto(s.ctx, []any{out.Interface()}, "through", in.Interface()))
		require.Equal(t, in.Interface(), seen.Elem().Interface())
		require.Equal(t, in.Interface(), out.Elem().Interface())
	})
}

// hostileValues are Lua expressions that a bound function might get.
func hostileValues() []string {
	return []string{
		`nil`, `true`, `0/0`, `1/0`, `-1/0`, `2^53 + 1`, `-2^63`, `2^64`, `1e308`, `""`, `"\0\255"`, `("x"):rep(1e5)`, `{}`, `{1, nil, 3}`, `{[1e15] = 1}`, `{[0] = 1}`, `{[-1] = 1}`,
		`{[0.5] = 1}`, `{[true] = 1}`, `{[{}] = 1}`, `{[print] = print}`, `loop`, `wide`, `deep`, `print`, `coroutine.create(print)`, `fiber.chan()`, `io.stdout`, `problem`, `setmetatable({}, {__index = error, __pairs = error, __tostring = error, __len = error})`,
		`setmetatable({}, {__mode = "k"})`, `_G`, `_G.package`, `next`, `{name = {}}`, `{name = "x", id = {id = 1}}`, `{tags = loop}`, `{boss = loop}`, `{boss = {boss = {boss = {}}}}`, `{createdAt = 1e300}`, `{wait = -1e300}`, `"1970-01-01T00:00:00Z"`,
	}
}

const prepare = `
	loop = {} loop[1] = loop loop.boss = loop loop.tags = loop loop.next = loop
	wide = {} for i = 1, 3000 do wide[i] = i end for i = 1, 5 do local next = {} for j = 1, 30 do next[j] = wide end wide = next end
	deep = {} for i = 1, 200 do deep = {deep, next = deep, boss = deep} end
	local _ _, problem = pcall(fail)`

func TestHostileValuesAreErrorsOfTheGuest(t *testing.T) {
	s := set(t, Config{})
	s.bound("fail", func() error { return bind.GuestText("x") })
	type node struct{ Next *node }
	functions := []any{
		func(any) {}, func(user) {}, func(*user) {}, func([]user) {}, func(map[string]user) {}, func(map[any]any) {}, func(...any) {}, func([3]int8) {}, func([]byte) {}, func([4]byte) {},
		func(map[bool][]string) {}, func(uint64) {}, func(float32) {}, func(error) {}, func(node) node { return node{} }, func(a any) any { return a }, func(e error) error { return e },
	}
	for i, fn := range functions {
		s.bound("f"+string(rune('a'+i)), fn)
	}
	s.play(prepare + `
		local failures = 0
		for _, make in ipairs{` + "function() return " + strings.Join(hostileValues(), " end, function() return ") + ` end} do
			for i = 0, ` + fmt.Sprint(len(functions)-1) + ` do
				local f = _G["f" .. string.char(97 + i)]
				local ok, e = pcall(f, make())
				if not ok then
					failures = failures + 1
					assert(not tostring(e):find("Go function failed"), tostring(e))
				end
			end
		end
		assert(failures > 100)`)
}
