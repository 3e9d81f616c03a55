package fibers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/quota"
)

// bound gives the programs a Go function.
func (s *stage) bound(name string, fn any) {
	s.t.Helper()
	f, err := bind.New(fn)
	require.NoError(s.t, err)
	require.NoError(s.t, s.Bind(name, f))
}

func (s *stage) boundBlocking(name string, fn any) {
	s.t.Helper()
	f, err := bind.NewBlocking(fn)
	require.NoError(s.t, err)
	require.NoError(s.t, s.Bind(name, f))
}

type user struct {
	Name    string
	UserID  int `guest:"id"`
	Tags    []string
	Boss    *user         `guest:",omitempty"`
	Wait    time.Duration `guest:"wait,omitempty"`
	secret  int
	Ignored chan int `guest:"-"`
	audit
}

type audit struct{ CreatedAt time.Time }

func TestAGoFunctionIsCalledWithLuaValues(t *testing.T) {
	s := set(t, Config{})
	s.bound("add", func(a, b int) int { return a + b })
	s.bound("text.join", strings.Join)
	s.bound("text.count", func(words ...string) int { return len(words) })
	s.bound("swap", func(a any, b []byte) ([]byte, any) { return b, a })
	s.bound("promote", func(u *user) (*user, error) {
		if u == nil {
			return nil, nil
		}
		return &user{Name: "boss of " + u.Name, UserID: u.UserID + 1, Tags: append(u.Tags, "boss"), Boss: u.Boss, secret: 1, audit: audit{u.CreatedAt}}, nil
	})
	s.bound("sleepy", func(d time.Duration, at time.Time) (time.Duration, time.Time) { return 2 * d, at.Add(d) })
	s.bound("addr", func(a netip.Addr) netip.Addr { return a.Next() })
	s.bound("index", func(m map[string][]float64) map[float64]string {
		index := map[float64]string{}
		for k, list := range m {
			for _, v := range list {
				index[v] = k
			}
		}
		return index
	})
	s.play(`
		print(add(2, 3), text.join({"a", "b"}, "-"), text.count(), text.count("x", "y"))
		print(swap(nil, "b\0c") == "b\0c", select("#", swap(1, "")))
		local p = promote{name = "ada", id = 7, tags = {"x"}, createdAt = 1.5, boss = {name = "eve"}}
		print(p.name, p.id, #p.tags, p.tags[2], p.createdAt, p.boss.name, p.boss.boss, p.wait, p.secret, p.ignored)
		print(promote(nil), promote())
		print(sleepy(0.25, 10))
		print(addr("10.0.0.1"))
		print(index{a = {1, 2.5}}[2.5])
		print(require("text") == text)`)
	require.Equal(t, `5	a-b	0	2
true	2
boss of ada	8	2	boss	1.5	eve	nil	nil	nil	nil
nil	nil
0.5	10.25
10.0.0.2
a
true
`, s.printed())
}

func TestAnArgumentThatDoesNotFitIsNamed(t *testing.T) {
	s := set(t, Config{})
	s.bound("f", func(n int8, name string, list []float32) {})
	s.bound("u", func(u user) {})
	s.bound("m", func(m map[int]bool, e error) {})
	s.bound("v", func(n uint, more ...bool) {})
	s.bound("t", func(d time.Duration, a netip.Addr, p [2]int) {})
	for call, text := range map[string]string{
		`f()`:                        `f: argument 1: want a whole number from -128 to 127, got nothing`,
		`f(nil)`:                     `f: argument 1: want a whole number from -128 to 127, got nil`,
		`f(128)`:                     `f: argument 1: want a whole number from -128 to 127, got the number 128`,
		`f(1.5)`:                     `f: argument 1: want a whole number from -128 to 127, got the number 1.5`,
		`f(0/0)`:                     `f: argument 1: want a whole number from -128 to 127, got the number NaN`,
		`f("1")`:                     `f: argument 1: want a whole number from -128 to 127, got the string "1"`,
		`f(1, 2)`:                    `f: argument 2: want a string, got the number 2`,
		`f(1, {})`:                   `f: argument 2: want a string, got a table`,
		`f(1, print)`:                `f: argument 2: want a string, got a function`,
		`f(1, fiber.chan())`:         `f: argument 2: want a string, got a fiber.chan`,
		`f(1, "")`:                   `f: argument 3: want a list, got nothing`,
		`f(1, "", {1, "x"})`:         `f: argument 3[2]: want a number that is at most 3.4e38, got the string "x"`,
		`f(1, "", {1e300})`:          `f: argument 3[1]: want a number that is at most 3.4e38, got the number 1e+300`,
		`f(1, "", {1, nil, 3})`:      `f: argument 3: want a list, which has only the keys 1 to n; got a table with 2 keys, of which one is the number 3`,
		`f(1, "", {a = 1})`:          `f: argument 3: want a list, which has only the keys 1 to n; got a table with 1 keys, of which one is the string "a"`,
		`f(1, "", {}, 4)`:            `f: argument 4: want 3 arguments at most, got 4`,
		`u{nam = "x"}`:               `u: argument 1: want the fields name, id, tags, boss, wait, createdAt, got the string "nam"`,
		`u{boss = {tags = {{}}}}`:    `u: argument 1.boss.tags[1]: want a string, got a table`,
		`u(1)`:                       `u: argument 1: want a table with the fields name, id, tags, boss, wait, createdAt, got the number 1`,
		`u(("x"):rep(1000))`:         `got a string of 1000 bytes`,
		`m({x = true})`:              `m: argument 1: as a key of the table: want a whole number from -2^63 to 2^63-1, got the string "x"`,
		`m({[2^63] = true})`:         `got the number 9.223372036854776e+18`,
		`m({"x"})`:                   `m: argument 1[1]: want a boolean, got the string "x"`,
		`m({}, 5)`:                   `m: argument 2: want an error or a string, got the number 5`,
		`v(-1)`:                      `v: argument 1: want a whole number from 0 to 2^64-1, got the number -1`,
		`v(1, true, 2)`:              `v: argument 3: want a boolean, got the number 2`,
		`t(1e300)`:                   `t: argument 1: want a number of seconds below 292 years, got the number 1e+300`,
		`t(0/0)`:                     `t: argument 1: want a number of seconds below 292 years, got the number NaN`,
		`t(1, "x")`:                  `t: argument 2: want a string that is a netip.Addr: ParseAddr("x"): unable to parse IP`,
		`t(1, "::1", {1})`:           `t: argument 3: want a list of 2, got one of 1`,
		`local a = {} a[1] = a m(a)`: `m: argument 1[1]: want a boolean, got a table`,
	} {
		err := s.try(call)
		require.ErrorContains(t, err, text)
		require.Regexp(t, `^p.lua:1: `, err.Error())
	}
}

func TestAValueThatContainsItselfIsRefused(t *testing.T) {
	s := set(t, Config{})
	s.bound("any", func(any) {})
	type node struct{ Next *node }
	s.bound("list", func(n *node) *node { n.Next = n; return n })
	require.ErrorContains(t, s.try(`local a = {} a[1] = a any(a)`), "[1][1]: values nested more than 100 deep, perhaps in themselves")
	require.ErrorContains(t, s.try(`local a = {} a.next = a list(a)`), "list: argument 1.next.next")
	err := s.try(`list{}`)
	require.ErrorContains(t, err, "list: bind: result 1.next.next")
	require.ErrorAs(t, err, new(*bind.ValueError))
}

func TestAGoErrorKeepsItsIdentityThroughLuaAndBack(t *testing.T) {
	s := set(t, Config{})
	cause := fmt.Errorf("no row: %w", os.ErrNotExist)
	var back error
	s.bound("find", func(id int) (string, error) {
		if id < 0 {
			return "", cause
		}
		return "row", nil
	})
	s.bound("value", func() any { return cause })
	s.bound("inspect", func(err error) bool { back = err; return errors.Is(err, os.ErrNotExist) })
	s.play(`
		print(find(1))
		local ok, e = pcall(find, -1)
		print(ok, e, tostring(e), "got " .. e, e .. "!", type(e), getmetatable(e))
		local _, again = pcall(find, -1)
		print(e == again, e == value(), inspect(e), inspect(value()), inspect("of Lua"), inspect(nil))`)
	require.Equal(t, "row\nfalse\tno row: file does not exist\tno row: file does not exist\tgot no row: file does not exist\tno row: file does not exist!\tuserdata\terror\n"+
		"true\ttrue\ttrue\ttrue\tfalse\tfalse\n", s.printed())
	require.NoError(t, back)
	for _, program := range []string{`find(-1)`, `local _, e = pcall(find, -1) error(e)`, `local _, e = fiber.spawn(find, -1):join() error(e, 0)`, `error(value())`} {
		err := s.try(program)
		require.ErrorIs(t, err, os.ErrNotExist, program)
		require.ErrorIs(t, err, cause)
		require.EqualError(t, err, "no row: file does not exist")
	}
	s.play(`function work() return value(), select(2, pcall(find, -1)) end`)
	values := s.call("work")
	require.Equal(t, []any{cause, cause}, values)
	require.Equal(t, []any{true}, s.call("inspect", cause))
	require.Same(t, cause, back)
	_, err := bind.Call[string](s.ctx, s, "find", -5)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestAPanicOfABoundFunctionHasItsName(t *testing.T) {
	for _, kind := range []string{"New", "NewBlocking"} {
		s := set(t, Config{})
		add := map[string]func(string, any){"New": s.bound, "NewBlocking": s.boundBlocking}[kind]
		add("db.crash", func(list []int, i int) int { return list[i] })
		add("db.fail", func() { panic(os.ErrClosed) })
		s.play(`local ok, e = pcall(db.crash, {1}, 5) print(ok, e)`)
		require.Equal(t, "false\tdb.crash: a Go function failed\n", s.printed())
		for _, program := range []string{`db.crash({1}, 5)`, `local _, e = pcall(db.crash, {1}, 5) error(e)`} {
			err := s.try(program)
			require.EqualError(t, err, "db.crash panicked: runtime error: index out of range [5] with length 1")
			broken, ok := errors.AsType[*bind.PanicError](err)
			require.True(t, ok)
			require.Contains(t, string(broken.Stack), "bind_test.go")
		}
		require.ErrorIs(t, s.try(`db.fail()`), os.ErrClosed)
	}
}

type key struct{}

func TestAFunctionGetsTheContextOfItsFiber(t *testing.T) {
	s := set(t, Config{})
	s.ctx = context.WithValue(s.ctx, key{}, "of the run")
	get := func(ctx context.Context, suffix string) string { return ctx.Value(key{}).(string) + suffix }
	s.bound("get", get)
	s.boundBlocking("wait", get)
	s.play(`print(get("!"), wait("?"))`)
	require.Equal(t, "of the run!\tof the run?\n", s.printed())
}

func TestAnIteratorIsALuaIterator(t *testing.T) {
	s := set(t, Config{})
	ended := 0
	s.bound("count", func(n int) iter.Seq[int] {
		return func(yield func(int) bool) {
			defer func() { ended++ }()
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}
	})
	s.bound("each", func(m map[string]int) iter.Seq2[string, int] {
		return func(yield func(string, int) bool) {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				if !yield(k, m[k]) {
					return
				}
			}
		}
	})
	s.bound("broken", func() iter.Seq[int] { return func(yield func(int) bool) { yield(1); panic(os.ErrClosed) } })
	s.bound("none", func() iter.Seq[int] { return nil })
	s.play(`
		for i in count(3) do print(i) end
		for k, v in each{b = 2, a = 1} do print(k, v) end
		for i in count(1e9) do if i == 2 then break end end
		local next = count(2)
		print(next(), next(), next(), next())
		for _ in none() do end
		local co = coroutine.wrap(function() for i in count(2) do coroutine.yield(i) end end)
		print(co(), co())
		unused = count(1)
		print(pcall(function() for i in broken() do end end))
		fiber.spawn(function() left = count(3) left() end):join()
		print(left())`)
	require.Equal(t, "0\n1\n2\na\t1\nb\t2\n0\t1\tnil\tnil\n0\t1\nfalse\tbroken: a Go function failed\nnil\n", s.printed())
	require.Equal(t, 5, ended)
	err := s.try(`for i in broken() do end`)
	require.ErrorIs(t, err, os.ErrClosed)
	require.EqualError(t, err, "broken panicked: file already closed")
}

func TestAnIteratorEndsWithItsFiber(t *testing.T) {
	for _, end := range []string{`fiber.sleep(1e9)`, `while true do end`, `error "failed"`, `return`} {
		s := set(t, Config{})
		ended := false
		s.bound("endless", func() iter.Seq[int] {
			return func(yield func(int) bool) {
				defer func() { ended = true }()
				for i := 0; yield(i); i++ {
				}
			}
		})
		s.play(`local task = fiber.spawn(function() local next = endless() next() next() ` + end + ` end)
			fiber.yield() task:cancel() task:join()`)
		require.True(t, ended, end)
	}
}

func TestNamesThatLeadNowhereAreRefused(t *testing.T) {
	s := set(t, Config{})
	f := bind.Must(bind.New(func() int { return 1 }))
	require.EqualError(t, s.Bind("print.x", f), `bind: name "print.x": print is a function, not a table`)
	require.EqualError(t, s.Bind("a..b", f), `bind: name "a..b": want names with points between them`)
	require.EqualError(t, s.Bind("", f), `bind: name "": want names with points between them`)
	require.NoError(t, s.Bind("math.one", f))
	require.NoError(t, s.Bind("deep.er.one", f))
	s.play(`print(math.one() + deep.er.one(), math.max(1, 2))`)
	require.Equal(t, "2\t2\n", s.printed())
}

func TestTypedResults(t *testing.T) {
	s := echo(t, Config{})
	s.play(`function work() return {name = "ada", id = 3, tags = {"a"}, createdAt = 0} end function three() return 1, "two", {3} end function none() end`)
	u, err := bind.Call[user](s.ctx, s, "work")
	require.NoError(t, err)
	require.Equal(t, user{Name: "ada", UserID: 3, Tags: []string{"a"}, audit: audit{time.Unix(0, 0).UTC()}}, u)
	var one int
	var two string
	var rest []any
	require.NoError(t, s.CallInto(s.ctx, []any{&one, &two, &rest}, "three"))
	require.Equal(t, []any{1, "two", []any{3.0}}, []any{one, two, rest})
	for text, call := range map[string]func() error{
		`bind: result 1: want a string, got the number 5`:                       func() error { _, err := bind.Call[string](s.ctx, s, "echo", 5); return err },
		`bind: result 1: want a string, got nil`:                                func() error { _, err := bind.Call[string](s.ctx, s, "none"); return err },
		`bind: result 2: the function returned 2 results, want 1`:               func() error { _, err := bind.Call[string](s.ctx, s, "echo", "a", 1); return err },
		`bind: result 1: chan int: cannot pass between Go and a guest; use nil`: func() error { _, err := bind.Call[chan int](s.ctx, s, "none"); return err },
		`bind: result 1: want a pointer to a variable`:                          func() error { return s.CallInto(s.ctx, []any{5}, "none") },
		`bind: result 1: elements: func(): cannot pass`:                         func() error { _, err := bind.Call[[]func()](s.ctx, s, "none"); return err },
	} {
		require.ErrorContains(t, call(), text)
	}
	handle, err := s.Start("work")
	require.NoError(t, err)
	s.play(`fiber.sleep(1)`)
	u, err = bind.Result[user](s.ctx, handle)
	require.NoError(t, err)
	require.Equal(t, "ada", u.Name)
	_, err = bind.Result[int](s.ctx, handle)
	require.EqualError(t, err, "bind: result 1: want a whole number from -2^63 to 2^63-1, got a table")
}

func TestTheConversionOfAnArgumentIsPaidFor(t *testing.T) {
	s := set(t, slice(1000))
	s.bound("take", func([]int) {})
	s.bound("give", func(n int) []int { return make([]int, n) })
	s.play(`
		local list, turns = {}, 0
		for i = 1, 1e5 do list[i] = i end
		local counter = fiber.spawn(function() while true do turns = turns + 1 fiber.yield() end end)
		fiber.yield()
		local before = turns
		take(list)
		local after = turns
		give(1e5)
		assert(after - before > 90, after - before)
		assert(turns - after > 90, turns - after)`)
}

func TestAFunctionMayKeepItsArguments(t *testing.T) {
	s := set(t, Config{})
	var kept [][]string
	var maps []map[string]*user
	s.bound("keep", func(list []string, m map[string]*user, more ...string) {
		kept, maps = append(kept, list, more), append(maps, m)
	})
	s.play(`keep({"a"}, {x = {name = "1"}}, "m") keep({"b"}, {x = {name = "2"}}, "n")`)
	require.Equal(t, [][]string{{"a"}, {"m"}, {"b"}, {"n"}}, kept)
	require.Equal(t, "1", maps[0]["x"].Name)
	require.Equal(t, "2", maps[1]["x"].Name)
}

func TestResultsOfBoundFunctionsCountAgainstTheQuotas(t *testing.T) {
	for resource, program := range map[quota.Resource]string{
		quota.Memory: `local all = {} while true do all[#all + 1] = give(1000) end`,
		quota.Steps:  `while true do pcall(give, 100) end`,
	} {
		s := set(t, limited(slice(1000), quota.Limits{Memory: 4 << 20, Steps: 1 << 20}))
		given := 0
		s.bound("give", func(n int) []string {
			given += n
			return make([]string, n)
		})
		passed(t, s.try(program), resource)
		require.Less(t, given, 1<<20)
	}
	s := set(t, limited(Config{}, quota.Limits{Memory: 4 << 20}))
	s.bound("give", func(n int) []byte { return make([]byte, n) })
	s.play(`for i = 1, 1000 do give(1e5) end`)
}
