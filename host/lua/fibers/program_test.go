package fibers

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// compiled is a Program that must have no syntax error.
func compiled(t *testing.T, source string) *Program {
	t.Helper()
	p, err := Compile(strings.NewReader(source), "p.lua")
	require.NoError(t, err)
	return p
}

// everything has every construct whose execution could change a prototype: closures, varargs, table
// constructors of several parts, an error with a traceback, and functions that read and replace code.
const everything = `
	local list = {` + "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1" + `, k = 1}
	local n = 0
	local function add(...) n = n + select("#", ...) return add end
	for i, v in ipairs(list) do add(v, i) end
	setfenv(add, setmetatable({select = select}, {__index = _G}))
	debug.setmetatable(0, {__index = function(_, k) return k end})
	local tasks = {}
	for i = 1, 5 do tasks[i] = fiber.spawn(function() fiber.yield() return (i).field, add(i) end) end
	for _, t in ipairs(tasks) do assert(t:join()) end
	coroutine.wrap(function() coroutine.yield(loadstring("return 1")()) end)()
	if string.dump then pcall(string.dump, add) end
	assert(not pcall(function() local x = nil; return x.y end))
	shared = n
	return n, ...`

func TestManyHostsRunOneProgramAtTheSameTime(t *testing.T) {
	program, fresh := compiled(t, everything), compiled(t, everything)
	var all sync.WaitGroup
	results := make([][]any, 8)
	for i := range results {
		all.Go(func() {
			for _, n := range budgets() {
				h := New(slice(n))
				values, err := h.Call(t.Context(), program, i)
				results[i] = append(values, err)
				h.Close()
			}
		})
	}
	all.Wait()
	for i, values := range results {
		require.Equal(t, []any{111.0, float64(i), nil}, values)
	}
	require.Equal(t, fresh, program, "a run has changed the program")
}

// A Program refers to nothing that belongs to a Lua state.
func TestAProgramHasOnlyCodeAndPlainConstants(t *testing.T) {
	visitPrototypes(compiled(t, everything).proto, func(p *glua.FunctionProto) {
		for _, v := range p.Constants {
			switch v.(type) {
			case glua.LNumber, glua.LString, glua.LBool, *glua.LNilType:
			default:
				t.Errorf("constant %v is a %T", v, v)
			}
		}
	})
	require.Empty(t, statesIn(reflect.TypeFor[Program](), map[reflect.Type]bool{}))
}

func visitPrototypes(p *glua.FunctionProto, visit func(*glua.FunctionProto)) {
	visit(p)
	for _, inner := range p.FunctionPrototypes {
		visitPrototypes(inner, visit)
	}
}

// statesIn are the types, reachable from t by pointers, fields and elements, that belong to a state.
func statesIn(t reflect.Type, seen map[reflect.Type]bool) (found []string) {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return statesIn(t.Elem(), seen)
	case reflect.Map, reflect.Chan, reflect.Func:
		return []string{t.String()}
	case reflect.Struct:
		if t == reflect.TypeFor[glua.LState]() || t == reflect.TypeFor[glua.LTable]() {
			return []string{t.String()}
		}
		for i := range t.NumField() {
			found = append(found, statesIn(t.Field(i).Type, seen)...)
		}
	}
	return found
}

func TestEachRunOfAProgramBeginsAnew(t *testing.T) {
	program := compiled(t, `local n = 0 n = n + 1 runs = (runs or 0) + 1 return n, runs`)
	h := set(t, Config{})
	for i := range 3 {
		values, err := h.Call(h.ctx, program)
		require.NoError(t, err)
		require.Equal(t, []any{1.0, float64(i + 1)}, values)
	}
}

type unreadable struct{}

func (unreadable) Read([]byte) (int, error) { return 0, os.ErrPermission }

func TestCompileReportsWhatRunDoes(t *testing.T) {
	h := set(t, Config{})
	for _, source := range []string{"x = ", "x = = 1", "for", "goto a", strings.Repeat("(", 20000), "\x1bLua"} {
		_, err := Compile(strings.NewReader(source), "p.lua")
		guest, ok := errors.AsType[*GuestError](err)
		require.True(t, ok, "%.20q: %v", source, err)
		require.EqualError(t, h.try(source), guest.Message)
	}
	_, err := Compile(unreadable{}, "p.lua")
	require.ErrorIs(t, err, os.ErrPermission)
	require.EqualError(t, err, "p.lua: permission denied")
}
