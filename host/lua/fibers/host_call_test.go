package fibers

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
)

// call calls a global function, which must not fail.
func (s *stage) call(fn any, args ...any) []any {
	s.t.Helper()
	values, err := s.Call(s.ctx, fn, args...)
	require.NoError(s.t, err)
	require.NotNil(s.t, values)
	return values
}

// echo is a stage with a global function that returns its arguments.
func echo(t *testing.T, cfg Config) *stage {
	s := set(t, cfg)
	s.play(`function echo(...) return ... end`)
	return s
}

type (
	label  string
	count  uint8
	octets []byte
)

func TestValuesPassIntoLuaAndBack(t *testing.T) {
	s := echo(t, Config{})
	var none map[string]int
	for _, row := range []struct{ in, out any }{
		{nil, nil}, {true, true}, {label("n"), "n"}, {"a\x00b", "a\x00b"}, {[]byte("bytes"), "bytes"}, {octets("o"), "o"}, {[2]byte{'h', 'i'}, "hi"},
		{int8(-8), -8.0}, {int16(-16), -16.0}, {int32(-32), -32.0}, {int64(-1 << 63), -0x1p63}, {1 << 53, 0x1p53}, {time.Second, 1.0}, {1500 * time.Millisecond, 1.5}, {struct{}{}, map[string]any{}}, {new(int), 0.0},
		{count(8), 8.0}, {uint16(16), 16.0}, {uint32(32), 32.0}, {uint64(1 << 63), 0x1p63}, {uintptr(1), 1.0}, {float32(0.5), 0.5}, {math.Inf(-1), math.Inf(-1)},
		{[]int{4, 5}, []any{4.0, 5.0}}, {[]any{}, map[string]any{}}, {none, map[string]any{}}, {[]count{1, 2}, []any{1.0, 2.0}},
		{[]any{1, nil, "3"}, map[any]any{1.0: 1.0, 3.0: "3"}},
		{map[label][]any{"list": {1, map[string]bool{"deep": true}}}, map[string]any{"list": []any{1.0, map[string]any{"deep": true}}}},
		{map[int]string{0: "zero", 1 << 40: "far"}, map[any]any{0.0: "zero", 0x1p40: "far"}}, {map[int]int{2: 2, 1: 1}, []any{1.0, 2.0}},
		{map[any]any{false: 1, "k": 2, 0.5: 3}, map[any]any{false: 1.0, "k": 2.0, 0.5: 3.0}},
		{glua.LString("own"), "own"}, {glua.LNil, nil}, {glua.LNumber(7), 7.0},
	} {
		require.Equal(t, []any{row.out, 1.0}, s.call("echo", row.in, 1), "%T %v", row.in, row.in)
	}
	require.Equal(t, []any{}, s.call("echo"))
	require.True(t, math.IsNaN(s.call("echo", math.NaN())[0].(float64)))
}

// plainValue generates values of the types that Call returns.
func plainValue() *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Bool().AsAny(), rapid.Float64().AsAny(), rapid.String().AsAny(), rapid.SliceOfN(rapid.Just(any(1.5)), 1, 3).AsAny())
	return rapid.OneOf(leaf,
		rapid.SliceOfN(leaf, 1, 70).AsAny(),
		rapid.MapOfN(rapid.String(), leaf, 0, 20).AsAny(),
		rapid.MapOfN(rapid.OneOf(rapid.Bool().AsAny(), rapid.StringN(1, 4, -1).AsAny()), leaf, 1, 9).Filter(func(m map[any]any) bool { return m[true] != nil || m[false] != nil }).AsAny())
}

func TestWhatCallReturnsCanBePassedAgain(t *testing.T) {
	s := echo(t, Config{})
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(plainValue(), 1, 5).Draw(t, "args")
		results, err := s.Call(s.ctx, "echo", args...)
		require.NoError(t, err)
		require.Equal(t, args, results)
	})
}

func TestAFunctionThatCameOutOfLuaCanBeCalled(t *testing.T) {
	s := set(t, Config{})
	s.play(`function counter(n) return function(d) n = n + d return n end, fiber.chan(1) end`)
	values := s.call("counter", 5)
	require.Equal(t, []any{7.0}, s.call(values[0], 2))
	require.Equal(t, []any{10.0}, s.call(values[0], 3))
	s.play(`function put(ch, f) ch:send(f(1)) return ch:recv() end`)
	require.Equal(t, []any{11.0, true}, s.call("put", values[1], values[0]))
	s.global("host", func(L *glua.LState) int { L.Push(glua.LString("Go got " + L.CheckString(1))); return 1 })
	require.Equal(t, []any{"Go got it"}, s.call("host", "it"))
}

func TestACallIsAFiber(t *testing.T) {
	for _, n := range budgets() {
		s := set(t, slice(n))
		s.play(`function work(n)
			local sum, tasks = 0, {}
			for i = 1, n do tasks[i] = fiber.spawn(function() fiber.sleep(i) return i end) end
			for i = 1, n do sum = sum + select(2, tasks[i]:join()) end
			fiber.spawn(function() while true do fiber.sleep(1) end end)
			return sum, fiber.now(), fiber.self():name()
		end`)
		for range 2 {
			require.Equal(t, []any{6.0, 3.0, "work"}, s.call("work", 3))
			require.Zero(t, s.Runtime().Scheduler().Inspect().Live())
		}
	}
}

func refusals() map[string][]any {
	deep := []any{}
	for range bind.MaxDepth + 1 {
		deep = []any{deep}
	}
	loop := map[string]any{}
	loop["self"] = []any{loop}
	return map[string][]any{
		`argument 2: a chan int has no value in the guest; pass nil, booleans, numbers, strings, []byte, time.Time, time.Duration, errors, types with MarshalText and UnmarshalText, and slices, arrays, maps, structs of them and pointers to them`: {1, make(chan int)},
		`argument 1["list"][1]: a func() has no value in the guest`:                                         {map[string]any{"list": []any{1, func() {}}}},
		`argument 1: a complex128 has no value in the guest`:                                                {1i},
		`argument 1: a number of the guest cannot represent 9007199254740993 exactly`:                       {1<<53 + 1},
		`argument 1: a number of the guest cannot represent -9007199254740993 exactly; pass it as a string`: {-1<<53 - 1},
		`argument 1: a number of the guest cannot represent 18446744073709551615 exactly`:                   {uint64(math.MaxUint64)},
		`argument 1[NaN]: NaN cannot be a key in the guest`:                                                 {map[float64]int{math.NaN(): 1}},
		`argument 1[[1]int{1}]: a [1]int has no value in the guest`:                                         {map[[1]int]int{{1}: 1}},
		`argument 1: two keys of the map are the number 1 in the guest`:                                     {map[any]int{1: 1, 1.0: 2}},
		`argument 3: a nil *lua.LTable is no value of the guest; pass nil`:                                  {1, 2, (*glua.LTable)(nil)},
		`argument 1.deep[0]: a chan int has no value in the guest`:                                          {struct{ Deep []any }{[]any{make(chan int)}}},
		`argument 1: two fields have the name "a" in the guest; give one another name by a tag such as `: {struct {
			A, B int `guest:"a"`
		}{}},
		`[0]: values nested more than 100 deep, perhaps in themselves`:      {deep},
		`["self"]: values nested more than 100 deep, perhaps in themselves`: {loop},
		`more than 1048576 values at once`:                                  {make([]int, bind.MaxValues)},
	}
}

func TestAnArgumentThatCannotPassIsNamed(t *testing.T) {
	s := echo(t, Config{})
	for text, args := range refusals() {
		_, err := s.Call(s.ctx, "echo", args...)
		refused, ok := errors.AsType[*bind.ValueError](err)
		require.True(t, ok, "%v", err)
		require.ErrorContains(t, err, text)
		_, started := s.Start("echo", args...)
		require.Equal(t, refused.Error(), started.Error())
	}
	require.Zero(t, s.Runtime().Scheduler().Inspect().Live())
}

func TestAResultThatCannotPassIsNamed(t *testing.T) {
	s := set(t, Config{})
	s.play(`function loop() local t = {} t.a = {t} return 1, t end
		function keys() return {x = {[print] = 1}} end
		function many() local t = {} for i = 1, 2^20 do t[i] = i end return t end`)
	for fn, text := range map[string]string{
		"loop": `bind: result 2["a"][1]["a"]`, "keys": `bind: result 1["x"]: a function is a key of the table; keys are booleans, numbers and strings`,
		"many": "bind: result 1[1048576]: more than 1048576 values at once",
	} {
		_, err := s.Call(s.ctx, fn)
		require.True(t, errors.As(err, new(*bind.ValueError)))
		require.ErrorContains(t, err, text)
	}
}

func TestAFunctionThatCannotBeCalledIsNamed(t *testing.T) {
	s := set(t, Config{})
	s.play(`setmetatable(_G, {__index = function() error "a metamethod ran" end}) tab = {}`)
	for text, fn := range map[string]any{
		`bind: function: the global "none" is a nil, not a function`:                                     "none",
		`bind: function: the global "tab" is a table, not a function`:                                    "tab",
		`bind: function: want the name of a global function, a *Program or a *glua.LFunction, got int 5`: 5,
		`got <nil> <nil>`: nil, `got *lua.LFunction`: (*glua.LFunction)(nil), `got *fibers.Program <nil>`: (*Program)(nil),
	} {
		_, err := s.Call(s.ctx, fn)
		require.True(t, errors.As(err, new(*bind.ValueError)))
		require.ErrorContains(t, err, text)
		handle, err := s.Start(fn)
		require.NoError(t, err)
		s.play(`fiber.yield()`)
		_, err = handle.Result(s.ctx)
		require.ErrorContains(t, err, text)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	for _, body := range []string{`while true do end`, `fiber.sleep(1e9) while true do fiber.sleep(1) end`, `pcall(stop) pcall(fiber.sleep, 1)`} {
		s := set(t, Config{})
		ctx, cancel := context.WithCancel(t.Context())
		s.global("stop", func(*glua.LState) int { cancel(); return 0 })
		s.play(`function work() stop() ` + body + ` print "never" end`)
		_, err := s.Call(ctx, "work")
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, s.printed())
	}
}

func TestACallThatDeadlocksSaysSoAndTheNextOneWorks(t *testing.T) {
	s := echo(t, Config{})
	s.play(`function stuck() fiber.chan():recv() end function forever() while true do fiber.yield() end end`)
	_, err := s.Call(s.ctx, "stuck")
	require.True(t, errors.As(err, new(*scheduler.DeadlockError)))
	posted, err := s.Start("forever")
	require.NoError(t, err)
	require.Equal(t, []any{1.0}, s.call("echo", 1))
	_, err = posted.Result(s.ctx)
	require.ErrorIs(t, err, scheduler.ErrStopped)
}

func TestARunInsideARunIsRefused(t *testing.T) {
	s := echo(t, Config{})
	var caught []any
	for _, again := range []func(){
		func() { _, _ = s.Call(s.ctx, "echo") }, func() { _ = s.Serve(s.ctx) }, func() { _ = s.try("") },
	} {
		s.global("again", func(*glua.LState) int {
			defer func() { caught = append(caught, recover()) }()
			again()
			return 0
		})
		s.play(`again() fiber.sleep(1)`)
	}
	require.Len(t, caught, 3)
	for i, call := range []string{"Call", "Serve", "Run"} {
		require.Equal(t, "fibers: "+call+" on a Host that runs already; wait until that call has returned, or post with Start: rule ONE-OWNER (docs/invariants.md#one-owner)", caught[i])
	}
	require.Equal(t, []any{"still works"}, s.call("echo", "still works"))
}

func TestArgumentsAreOrderedTheSameInEveryRun(t *testing.T) {
	s := set(t, Config{})
	s.play(`function order(t) local s = "" for k in pairs(t) do s = s .. tostring(k) .. " " end return s end`)
	require.Equal(t, []any{"2 false true -1 0 a b c "}, s.call("order", map[any]any{"c": 1, 2: 1, "a": 1, true: 1, 0: 1, -1: 1, false: 1, "b": 1}))
	require.True(t, reflect.DeepEqual(s.call("order", map[string]int{"y": 1, "x": 2, "z": 3}), []any{"x y z "}))
}
