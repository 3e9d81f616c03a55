package minigo_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/anyvalue"
)

func TestValuesOfRandomTypesPassThroughTheProgramAndComeBackEqual(t *testing.T) {
	rapid.Check(t, passThrough)
}

func FuzzValuesOfRandomTypesPassThroughTheProgram(f *testing.F) { f.Fuzz(rapid.MakeFuzz(passThrough)) }

// passThrough draws a type: it is the parameter and the result of a Go function, which a function of the
// program calls that Go has called.
func passThrough(t *rapid.T) {
	from := anyvalue.Source(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
	typ := from.Type(3)
	in, out, seen := from.Value(typ, true), reflect.New(typ), reflect.New(typ)
	if hasEpoch(in) {
		return // it is the zero time for programs
	}
	same := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{typ}, []reflect.Type{typ}, false), func(args []reflect.Value) []reflect.Value {
		seen.Elem().Set(args[0])
		return args
	})
	var l minigo.Library
	require.NoError(t, l.Bind("bound.Same", bind.Must(bind.New(same.Interface()))))
	text := minigo.TypeText(typ)
	imports := `import "bound";`
	if strings.Contains(text, "time.") {
		imports += `import "time";`
	}
	program, err := l.Compile(minigo.File{Name: "p.go", Text: fmt.Appendf(nil, "package main\n%s\nfunc Through(v %s) %s { return bound.Same(v) }\nfunc main() {}", imports, text, text)})
	require.NoError(t, err)
	host, err := minigo.New(program, minigo.Config{})
	require.NoError(t, err)
	defer host.Close()
	require.NoError(t, host.CallInto(t.Context(), []any{out.Interface()}, "Through", in.Interface()))
	require.Equal(t, in.Interface(), seen.Elem().Interface())
	require.Equal(t, in.Interface(), out.Elem().Interface())
}

// hasEpoch tells whether a value contains the first instant of 1970.
func hasEpoch(v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	if at, ok := v.Interface().(time.Time); ok {
		return at.Equal(time.Unix(0, 0))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && hasEpoch(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasEpoch(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if hasEpoch(v.MapIndex(k)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if hasEpoch(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

// hostileAny are values of type any that a bound function might get.
func hostileAny() []string {
	return []string{
		`nil`, `true`, `-1 << 63`, `uint64(1<<64 - 1)`, `math.NaN()`, `math.Inf(-1)`, `float32(1)`, `""`, `"\x00\xff"`, `strings.Repeat("x", 1<<20)`, `[]any{}`, `[]any(nil)`, `map[string]any(nil)`,
		`map[any]any{1: 2, "x": 3, 0.5: nil}`, `map[bool]int{true: 1}`, `map[[2]int]int{{}: 1}`, `map[float64]int{math.NaN(): 1, math.Inf(1): 2}`, `loop`, `&loop`, `cycle`, `*cycle`, `selfMap`, `wide`, `deep`,
		`func() {}`, `make(chan int)`, `(func())(nil)`, `(chan int)(nil)`, `(*node)(nil)`, `node{}`, `&node{Next: &node{}}`, `struct{ f func() }{}`, `struct{ F func() }{}`, `[3]byte{1, 2, 3}`, `[1000]int{}`, `time.Now()`, `time.Hour`,
		`errors.New("x")`, `[]error{errors.New("x")}`, `fail()`, `[]error{fail()}`, `own{}`, `&own{}`, `(*own)(nil)`, `new(host.Iterator)`, `&host.Passed{}`, `(*host.Passed)(nil)`, `iterator()`, `context.Background()`, `os.Args`, `&sync.Mutex{}`,
	}
}

const hostileProgram = `
type node struct { Next *node; boss, Any any }
type own struct { inner *own }
func (o own) Error() string { if o.inner == nil { return "own" }; return o.inner.Error() }
func (o *own) Unwrap() error { return o }
var loop any
var cycle = &node{}
var selfMap = map[string]any{}
var wide, deep any
func fail() error { return a.Fail() }
func iterator() any { next := a.Count(); next(); return next }
func init() {
	loop = &loop
	cycle.Next, cycle.Any = cycle, cycle
	selfMap["x"] = selfMap
	list := make([]int, 3000)
	w := any(list)
	for range 5 { next := make([]any, 30); for i := range next { next[i] = w }; w = next }
	wide = w
	for range 200 { deep = []any{deep, deep} }
}
var _, _, _, _, _, _, _ = errors.New, math.NaN, strings.Repeat, time.Now, context.Background, os.Args, host.Pass
var _ sync.Mutex
func panicked(f func()) (text string) {
	defer func() { if r := recover(); r != nil { text = fmt.Sprint(r) } }()
	f()
	return ""
}
`

func TestHostileValuesAreErrorsOfTheProgram(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Fail", func() error { return bind.GuestText("x") })
	s.bound("a.Count", func() func(func(int) bool) { return func(yield func(int) bool) { yield(1) } })
	for i, fn := range []any{
		func(any) {}, func(any) error { return nil }, func(...any) {}, func(v any) any { return v }, func(v any) (any, error) { return v, nil },
	} {
		s.bound("a.F"+string(rune('A'+i)), fn)
	}
	code := hostileProgram + "func main() {\n\tfailures := 0\n"
	for _, v := range hostileAny() {
		for _, call := range []string{"a.FA(%s)", "if err := a.FB(%s); err != nil { panic(err) }", "a.FC(%s, 1)", "a.FD(%s)", "if _, err := a.FE(%s); err != nil { panic(err) }"} {
			code += fmt.Sprintf("\tif text := panicked(func() { %s }); text != \"\" { failures++; if strings.Contains(text, \"Go function failed\") { panic(text) } }\n", fmt.Sprintf(call, v))
		}
	}
	host := s.host("a context errors fmt host math os strings sync time", code+"\tif failures < 50 { panic(failures) }\n}\n")
	require.NoError(t, host.Run(s.ctx))
}
