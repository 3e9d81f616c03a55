package constructors_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/constructors"
)

// compile is a function of what is in scope in every test: f, which has three results, the
// local s, and three arguments behind the dots.
func compile(t *testing.T, L *glua.LState, constructor string) *glua.LFunction {
	t.Helper()
	fn, err := L.LoadString("local s = 's' local function f() return 'f1', 'f2', 'f3' end return (function(...) return " + constructor + " end)('d1', 'd2', 'd3')")
	require.NoError(t, err)
	return fn
}

// contents are the pairs of the table that the constructor makes.
func contents(t *testing.T, constructor string) map[string]string {
	t.Helper()
	L := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer L.Close()
	fn := compile(t, L, constructor)
	require.NoError(t, constructors.Fix(fn.Proto))
	L.Push(fn)
	L.Call(0, 1)
	got := map[string]string{}
	L.CheckTable(-1).ForEach(func(k, v glua.LValue) { got[k.String()] = v.String() })
	return got
}

// wanted is a constructor in the making, and the pairs of its table.
type wanted struct {
	fields []string
	pairs  map[string]string
	items  int
}

func (w *wanted) item(source, value string) {
	w.fields = append(w.fields, source)
	w.items++
	w.pairs[strconv.Itoa(w.items)] = value
}

func (w *wanted) keyed(name, source, value string) {
	w.fields = append(w.fields, name+" = "+source)
	w.pairs[name] = value
}

// computed is keyed by a name that the program has to put together.
func (w *wanted) computed(name, source, value string) {
	w.fields = append(w.fields, "[s..'"+name+"'] = "+source)
	w.pairs["s"+name] = value
}

// open is a last item that stands for several.
func (w *wanted) open(source string, values ...string) {
	w.item(source, values[0])
	for _, v := range values[1:] {
		w.items++
		w.pairs[strconv.Itoa(w.items)] = v
	}
}

func (w *wanted) String() string { return "{" + strings.Join(w.fields, ", ") + "}" }

// list is a constructor that begins with so many items. No part of it looks like another; of
// many constants, the compiler is slow.
func list(n int) *wanted {
	w := &wanted{pairs: map[string]string{}}
	for i := range n {
		v := strconv.Itoa(i % 97)
		w.item(v, v)
	}
	return w
}

func TestAFieldWhoseValueIsACallIsNoItem(t *testing.T) {
	require.Equal(t, map[string]string{"1": "a", "k": "f1"}, contents(t, `{"a", k = f()}`))
	require.Equal(t, map[string]string{"1": "a", "k": "d1"}, contents(t, `{"a", k = ...}`))
	require.Equal(t, map[string]string{"1": "a", "k": "f1"}, contents(t, `{"a", ["k"] = f()}`))
	require.Equal(t, map[string]string{"1": "a", "sk": "f1"}, contents(t, `{"a", [s.."k"] = f()}`))
	require.Equal(t, map[string]string{"k": "f1"}, contents(t, `{k = f()}`))
}

func TestWhatFollowsFiftyItemsLeavesThemAlone(t *testing.T) {
	for _, n := range []int{49, 50, 51, 100, 25550, 25600} {
		for _, field := range []func(*wanted){
			func(w *wanted) { w.keyed("k", "s..'v'", "sv") },
			func(w *wanted) { w.computed("k", "f()", "f1") },
			func(w *wanted) { w.keyed("k", "f()", "f1"); w.item("'last'", "last") },
			func(w *wanted) { w.keyed("k", "s", "s"); w.open("f()", "f1", "f2", "f3") },
		} {
			w := list(n)
			field(w)
			if n == 25550 && len(w.pairs) == n+4 {
				continue // there is no instruction for that
			}
			require.Equal(t, w.pairs, contents(t, w.String()), "%d items, then %v", n, w.fields[n:])
		}
	}
}

func TestACallBehindFiftyItemsGivesMore(t *testing.T) {
	for _, n := range []int{0, 49, 50, 51, 100, 25549, 25551, 25600} {
		for _, last := range [][]string{{"f()", "f1", "f2", "f3"}, {"...", "d1", "d2", "d3"}} {
			w := list(n)
			w.open(last[0], last[1:]...)
			require.Equal(t, w.pairs, contents(t, w.String()), "%d items, then %s", n, last[0])
		}
	}
}

func TestATableHasAsManyItemsAsThereAre(t *testing.T) {
	for _, n := range []int{25549, 25550, 25551, 25601, 60000} {
		require.Equal(t, list(n).pairs, contents(t, list(n).String()), "%d items", n)
	}
}

func TestAListForWhichThereIsNoInstructionIsRefused(t *testing.T) {
	L := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer L.Close()
	w := list(25550)
	w.open("f()", "")
	require.ErrorIs(t, constructors.Fix(compile(t, L, w.String()).Proto), constructors.ErrList)
}

func TestAnyConstructorMakesWhatItSays(t *testing.T) {
	dice := rand.New(rand.NewPCG(6, 1))
	for range 500 {
		w := &wanted{pairs: map[string]string{}}
		for n := dice.IntN(130); len(w.fields) < n; {
			w.anything(dice)
		}
		w.inTheEnd(dice)
		require.Equal(t, w.pairs, contents(t, w.String()), "%v", w)
	}
}

// values are expressions that give one value, and it.
var values = [][2]string{
	{"1", "1"}, {"s", "s"}, {"s..'x'", "sx"}, {"f()", "f1"}, {"(f())", "f1"}, {"(...)", "d1"},
	{"s and 'yes' or 'no'", "yes"}, {"({1, 2, k = f()})[2]", "2"}, {"({f(), k = s..'y'}).k", "sy"},
	{"(function(...) return ({..., k = ...}).k end)('in')", "in"}, {"#{7, 8, k = f()}", "2"}, {"not s", "false"},
}

func (w *wanted) anything(dice *rand.Rand) {
	v := values[dice.IntN(len(values))]
	switch dice.IntN(8) {
	case 0:
		w.keyed(fmt.Sprintf("k%d", len(w.fields)), v[0], v[1])
	case 1:
		w.computed(fmt.Sprintf("k%d", len(w.fields)), v[0], v[1])
	default:
		w.item(v[0], v[1])
		if v[0] == "f()" {
			w.fields[len(w.fields)-1] = "(f())" // it may be the last
		}
	}
}

func (w *wanted) inTheEnd(dice *rand.Rand) {
	switch dice.IntN(4) {
	case 0:
		w.open("f()", "f1", "f2", "f3")
	case 1:
		w.keyed("last", "f()", "f1")
	case 2:
		w.keyed("last", "...", "d1")
	}
}
