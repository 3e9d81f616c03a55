package minigo_test

import (
	"bytes"
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
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
)

// stage is a Library whose functions programs call.
type stage struct {
	t *testing.T
	minigo.Library
	cfg minigo.Config
	ctx context.Context
	out bytes.Buffer
}

func set(t *testing.T, cfg minigo.Config) *stage { return &stage{t: t, cfg: cfg, ctx: t.Context()} }

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

// host makes a Host for a program that imports the packages of a list.
func (s *stage) host(imports, code string) *minigo.Host {
	s.t.Helper()
	text := "package main\n\nimport (\n"
	for path := range strings.FieldsSeq(imports) {
		text += fmt.Sprintf("%q\n", path)
	}
	program, err := s.Compile(minigo.File{Name: "p.go", Text: []byte(text + ")\n" + code)})
	require.NoError(s.t, err)
	s.cfg.Access = sandbox.Access{Stdout: &s.out}
	host, err := minigo.New(program, s.cfg)
	require.NoError(s.t, err)
	s.t.Cleanup(host.Close)
	return host
}

// try runs statements as main.
func (s *stage) try(imports, body string) error {
	s.t.Helper()
	return s.host(imports, "func main() {\n"+body+"\n}\n").Run(s.ctx)
}

// play runs statements as main, and returns what they have printed.
func (s *stage) play(imports, body string) string {
	s.t.Helper()
	s.out.Reset()
	require.NoError(s.t, s.try(imports, body))
	return s.out.String()
}

// refusal is why a program is not compiled.
func (s *stage) refusal(imports, body string) string {
	s.t.Helper()
	text := "package main\nimport ("
	for path := range strings.FieldsSeq(imports) {
		text += fmt.Sprintf("%q;", path)
	}
	_, err := s.Compile(minigo.File{Name: "p.go", Text: []byte(text + "); func main() {\n" + body + "\n}\n")})
	require.Error(s.t, err)
	return err.Error()
}

type user struct {
	Name    string
	UserID  int `guest:"id"`
	UserId  int
	Tags    []string
	Boss    *user         `guest:",omitempty"`
	Wait    time.Duration `guest:"wait,omitempty"`
	secret  int
	Ignored chan int `guest:"-"`
	audit
}

type audit struct{ CreatedAt time.Time }

type color uint8

func TestAGoFunctionIsCalledWithValuesOfTheProgram(t *testing.T) {
	for _, way := range ways() {
		s := set(t, way)
		s.bound("host/calc.Add", func(a, b int) int { return a + b })
		s.bound("host/text.Join", strings.Join)
		s.bound("host/text.Count", func(words ...string) int { return len(words) })
		s.bound("host/text.Sum", func(octets ...byte) (sum int) {
			for _, b := range octets {
				sum += int(b)
			}
			return sum
		})
		s.bound("host/calc.Swap", func(a any, b []byte) ([]byte, any) { return b, a })
		s.bound("host/db.Promote", func(u *user) (*user, error) {
			if u == nil {
				return nil, nil
			}
			return &user{Name: "boss of " + u.Name, UserID: u.UserID + 1, UserId: u.UserId, Tags: append(u.Tags, "boss"), Boss: u.Boss, secret: 1, audit: audit{u.CreatedAt}}, nil
		})
		s.bound("host/db.Sleepy", func(d time.Duration, at time.Time) (time.Duration, time.Time) { return 2 * d, at.Add(d) })
		s.bound("host/net.Addr", func(a netip.Addr) netip.Addr { return a.Next() })
		s.bound("host/calc.Index", func(m map[string][]float64) map[float64]string {
			index := map[float64]string{}
			for k, list := range m {
				for _, v := range list {
					index[v] = k
				}
			}
			return index
		})
		s.bound("host/calc.Mix", func(a [3]byte, c color, list []color, u uint64, i8 int8, f float32, ok bool) ([3]byte, color, []color, uint64, int8, float32, bool) {
			return [3]byte{a[2], a[1], a[0]}, c + 1, append(list, c), u + 1, -i8, f / 2, !ok
		})
		s.bound("host/calc.Tree", func() any {
			return map[string]any{"list": []any{1, 2.5, "x", nil, true}, "big": uint64(1 << 63)}
		})
		require.Equal(t, `5 a-b 0 2 6
[1 2] 5
boss of ada 8 3 [x boss] 1 eve true 0s
true <nil>
500ms true true
10.0.0.2
a
[3 2 1] 5 [9 4] 18446744073709551615 3 0.25 false
map[big:9223372036854775808 list:[1 2.5 x <nil> true]] int 1
host.Color
`, s.play("fmt host/calc host/text host/db host/net time", `
			fmt.Println(calc.Add(2, 3), text.Join([]string{"a", "b"}, "-"), text.Count(), text.Count("x", "y"), text.Sum(1, 2, 3))
			b, a := calc.Swap(5, []byte{1, 2})
			fmt.Println(b, a)
			u, err := db.Promote(&db.User{Name: "ada", UserID: 7, UserId: 3, Tags: []string{"x"}, CreatedAt: time.Now().Add(1), Boss: &db.User{Name: "eve"}})
			if err != nil { panic(err) }
			fmt.Println(u.Name, u.UserID, u.UserId, u.Tags, u.CreatedAt.UnixNano(), u.Boss.Name, u.Boss.Boss == nil, u.Wait)
			u, err = db.Promote(nil)
			fmt.Println(u == nil, err)
			d, at := db.Sleepy(time.Second/4, time.Time{}.Add(10*time.Second))
			fmt.Println(d, at.Equal(time.Time{}.Add(10*time.Second+time.Second/4)), time.Time{}.IsZero())
			fmt.Println(net.Addr("10.0.0.1"))
			fmt.Println(calc.Index(map[string][]float64{"a": {1, 2.5}})[2.5])
			fmt.Println(calc.Mix([3]byte{1, 2, 3}, 4, []calc.Color{9}, 1<<64-2, -3, 0.5, true))
			tree := calc.Tree().(map[string]any)
			fmt.Printf("%v %T %d\n", tree, tree["list"].([]any)[0], tree["list"].([]any)[0])
			fmt.Printf("%T\n", calc.Color(1))`))
	}
}

func TestTheCompilerNamesTheGoSignature(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("host/db.Get", func(ctx context.Context, id int) (user, error) { return user{}, nil })
	s.bound("host/db.Put", func(u user, more ...string) {})
	is := "\n\tdb.Get is func(context.Context, int) (minigo_test.user, error) of the host"
	put := "\n\tdb.Put is func(minigo_test.user, ...string) of the host"
	for body, text := range map[string]string{
		`db.Get("x")`:                           `p.go:3:8: cannot use "x" (untyped string constant) as int value in argument to db.Get` + is,
		`db.Get()`:                              "p.go:3:8: not enough arguments in call to db.Get\n\thave ()\n\twant (int)" + is,
		`db.Get(1, 2)`:                          "want (int)" + is,
		`var n int = db.Put`:                    `cannot use db.Put`,
		`db.Put(db.User{Nam: "x"})`:             `unknown field Nam in struct literal of type`,
		`db.Put(db.User{}, 5)`:                  `cannot use 5 (untyped int constant) as string value in argument to db.Put` + put,
		`db.Put(db.Get(1))`:                     `db.Get(1)`,
		`db.Delete(1)`:                          `undefined: db.Delete`,
		`db.callPut(1)`:                         `callPut`,
		`u, err := db.Get(1); var s string = u`: `cannot use u`,
		`db.Put(db.User{}, func() int { return ""}())`: `cannot use "" (untyped string constant) as int value in return statement`,
	} {
		require.Contains(t, s.refusal("host/db", body), text, body)
	}
	require.NotContains(t, s.refusal("host/db", `db.Put(db.User{}, func() string { return 5 }())`), "of the host")
	require.Contains(t, s.refusal("host/other", ``), `minigo has no package "host/other"`)
}

func TestATypeOfGoIsOneTypeInAllPackages(t *testing.T) {
	s := set(t, minigo.Config{})
	type other struct{ user }
	s.bound("a.Get", func() user { return user{Name: "ada"} })
	s.bound("b.Put", func(u *user, c color) string { return u.Name })
	s.bound("b.User", func() other { return other{user{Name: "eve"}} })
	require.Equal(t, "ada eve host.User *host.User\n", s.play("a b fmt", `
		u := a.Get()
		var same a.User = u
		var c b.Color = 1
		fmt.Printf("%v %v %T %T\n", b.Put(&same, c), b.User().Name, u, &u)`))
}

func TestAnArgumentThatDoesNotFitIsAnError(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Parse", func(a netip.Addr) (bool, error) { return a.Is6(), nil })
	s.bound("a.Must", func(list []netip.Addr) bool { return true })
	s.bound("a.Any", func(v any) {})
	s.bound("a.Wide", func(v [][]int) int { return len(v) })
	require.Equal(t, "false a.Parse: bind: argument 1: want a string that is a netip.Addr: ParseAddr(\"x\"): unable to parse IP\n",
		s.play("a fmt", `fmt.Println(a.Parse("x"))`))
	err := s.try("a", `a.Must([]string{"::1", "x"})`)
	require.ErrorContains(t, err, `panic: a.Must: bind: argument 1[1]: want a string that is a netip.Addr`)
	require.ErrorAs(t, err, new(*bind.ValueError))
	require.ErrorContains(t, s.try("a", `var v any; v = &v; a.Any(v)`), "nested too deeply")
	require.ErrorContains(t, s.try("a", `a.Any(func() {})`), "a value of the type func() does not pass")
	require.ErrorContains(t, s.try("a", `a.Any(make(chan int))`), "a value of the type chan int does not pass")
	require.ErrorContains(t, s.try("a", `
		list := make([]int, 1<<16)
		var v [][]int
		for range 64 { v = append(v, list) }
		a.Wide(v)`), "too many parts")
}

func TestAGoErrorKeepsItsIdentityThroughTheProgramAndBack(t *testing.T) {
	s := set(t, minigo.Config{})
	cause := fmt.Errorf("no row: %w", os.ErrNotExist)
	var back []error
	s.bound("db.Find", func(id int) (string, error) {
		if id < 0 {
			return "", cause
		}
		return "row", nil
	})
	s.bound("db.NotExist", func() error { return os.ErrNotExist })
	s.bound("db.Value", func() any { return cause })
	s.bound("db.Typed", func() *fs.PathError { return &fs.PathError{Op: "open", Path: "x", Err: os.ErrNotExist} })
	s.bound("db.Uncomparable", func() error { return uncomparable{"a"} })
	s.bound("db.Inspect", func(err error) bool { back = append(back, err); return errors.Is(err, os.ErrNotExist) })
	s.bound("db.All", func(list ...error) { back = append(back, list...) })
	s.bound("db.Any", func(v any, more ...any) { back = append(back, v.(error), more[0].(error)) })
	host := s.host("db errors fmt", `
		type own struct { inner error }
		func (o own) Error() string { return "own: " + o.inner.Error() }
		func (o own) Unwrap() []error { return []error{errors.New("x"), o.inner} }

		func Get(id int) (string, error) { return db.Find(id) }
		func Wrap(id int) error { _, err := db.Find(id); return fmt.Errorf("get %d: %w", id, err) }
		func Own(id int) error { _, err := db.Find(id); return own{err} }
		func Panic(err error) { panic(err) }
		func Same(err error) error { return err }
		func Text() error { return errors.New("of the program") }

		func main() {
			_, err := db.Find(-1)
			_, again := db.Find(-1)
			fmt.Println(err, err == again, err == db.Value(), errors.Is(err, db.NotExist()), errors.Is(db.NotExist(), err))
			fmt.Println(db.Inspect(err), db.Inspect(Wrap(-1)), db.Inspect(own{err}), db.Inspect(errors.New("mine")), db.Inspect(nil))
			fmt.Println(errors.Is(Wrap(-1), db.NotExist()), db.Typed(), db.Uncomparable() == db.Uncomparable())
			db.All(err, nil, own{err})
			db.Any(err, own{err})
			known := map[error]int{err: 1}
			fmt.Println(known[again], known[db.NotExist()])
		}`)
	require.NoError(t, host.Run(s.ctx))
	require.Equal(t, "no row: file does not exist true true true false\ntrue true true false false\ntrue open x: file does not exist false\n1 0\n", s.out.String())
	require.Equal(t, cause, back[0])
	require.EqualError(t, back[1], "get -1: no row: file does not exist")
	require.ErrorIs(t, back[2], cause)
	require.EqualError(t, back[3], "mine")
	require.NoError(t, back[4])
	require.Equal(t, []error{cause, nil}, back[5:7])
	require.ErrorIs(t, back[7], cause)
	require.Equal(t, cause, back[8])
	require.ErrorIs(t, back[9], os.ErrNotExist)

	host = s.host("db errors fmt", `
		func Get(id int) (string, error) { return db.Find(id) }
		func Wrap(id int) error { _, err := db.Find(id); return fmt.Errorf("get %d: %w", id, err) }
		func Panic(err error) { panic(err) }
		func Same(err error) error { return err }
		func Text() error { return errors.New("of the program") }
		func main() {}`)
	var text string
	var failed error
	require.NoError(t, host.CallInto(s.ctx, []any{&text, &failed}, "Get", -1))
	require.Equal(t, cause, failed)
	for _, call := range []string{"Wrap"} {
		failed, err := bind.Call[error](s.ctx, host, call, -1)
		require.NoError(t, err)
		require.ErrorIs(t, failed, os.ErrNotExist)
		require.EqualError(t, failed, "get -1: no row: file does not exist")
	}
	failed, err := bind.Call[error](s.ctx, host, "Same", cause)
	require.NoError(t, err)
	require.Equal(t, cause, failed)
	failed, err = bind.Call[error](s.ctx, host, "Text")
	require.NoError(t, err)
	require.EqualError(t, failed, "of the program")
	_, err = host.Call(s.ctx, "Panic", fmt.Errorf("far away: %w", cause))
	require.ErrorIs(t, err, cause)
	require.ErrorAs(t, err, new(*minigo.PanicError))
	require.ErrorContains(t, err, "panic: far away: no row: file does not exist\n\ngoroutine")
}

// uncomparable is an error for which == panics.
type uncomparable []string

func (uncomparable) Error() string { return "uncomparable" }

func TestAPanicOfABoundFunctionIsOneOfTheProgram(t *testing.T) {
	for _, kind := range []string{"New", "NewBlocking"} {
		s := set(t, minigo.Config{})
		add := map[string]func(string, any){"New": s.bound, "NewBlocking": s.boundBlocking}[kind]
		add("db.Crash", func(list []int, i int) (int, error) { return list[i], nil })
		add("db.Fail", func() { panic(os.ErrClosed) })
		require.Equal(t, "db.Crash: a Go function failed\n", s.play("db fmt", `
			defer func() { fmt.Println(recover()) }()
			db.Crash([]int{1}, 5)`))
		err := s.try("db", `db.Crash([]int{1}, 5)`)
		require.ErrorContains(t, err, "panic: db.Crash: a Go function failed\n")
		broken, ok := errors.AsType[*bind.PanicError](err)
		require.True(t, ok)
		require.EqualError(t, broken, "db.Crash panicked: runtime error: index out of range [5] with length 1")
		require.Contains(t, string(broken.Stack), "bind_test.go")
		require.ErrorIs(t, s.try("db", `db.Fail()`), os.ErrClosed)
	}
}

type boundKey struct{}

func TestABoundFunctionGetsTheContextOfItsGoroutine(t *testing.T) {
	s := set(t, minigo.Config{})
	s.ctx = context.WithValue(s.ctx, boundKey{}, "of the run")
	get := func(ctx context.Context, suffix string) string { return ctx.Value(boundKey{}).(string) + suffix }
	s.bound("a.Get", get)
	s.boundBlocking("a.Wait", get)
	require.Equal(t, "of the run! of the run?\n", s.play("a fmt", `fmt.Println(a.Get("!"), a.Wait("?"))`))
}

func TestAnIteratorIsAFunction(t *testing.T) {
	s := set(t, minigo.Config{})
	ended := 0
	s.bound("a.Count", func(n int) (iter.Seq[int], error) {
		if n < 0 {
			return nil, os.ErrInvalid
		}
		return func(yield func(int) bool) {
			defer func() { ended++ }()
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}, nil
	})
	s.bound("a.Each", func(m map[string]user) iter.Seq2[string, user] {
		return func(yield func(string, user) bool) {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				if !yield(k, m[k]) {
					return
				}
			}
		}
	})
	s.bound("a.Broken", func() iter.Seq[int] { return func(yield func(int) bool) { yield(1); panic(os.ErrClosed) } })
	s.bound("a.None", func() iter.Seq[int] { return nil })
	require.Equal(t, "0 1 2 0 false\na x\nb y\n0 false\n0 false invalid argument\n1 true\na.Broken: a Go function failed\n", s.play("a fmt", `
		next, _ := a.Count(3)
		for v, ok := next(); ok; v, ok = next() { fmt.Print(v, " ") }
		fmt.Println(next())
		each := a.Each(map[string]a.User{"b": {Name: "y"}, "a": {Name: "x"}})
		for k, u, ok := each(); ok; k, u, ok = each() { fmt.Println(k, u.Name) }
		fmt.Println(a.None()())
		none, err := a.Count(-1)
		v, ok := none()
		fmt.Println(v, ok, err)
		left, _ := a.Count(1e9)
		left()
		broken := a.Broken()
		fmt.Println(broken())
		defer func() { fmt.Println(recover()) }()
		broken()`))
	require.Equal(t, 2, ended)
	require.ErrorIs(t, s.try("a", `next := a.Broken(); next(); next()`), os.ErrClosed)
}

func TestIteratorsThatNoProgramCanCallEnd(t *testing.T) {
	s := set(t, minigo.Config{})
	open, most := 0, 0
	s.bound("a.Endless", func() iter.Seq[int] {
		return func(yield func(int) bool) {
			open++
			most = max(most, open)
			defer func() { open-- }()
			for i := 0; yield(i); i++ {
			}
		}
	})
	s.bound("a.Collect", func() { collectGarbage() })
	require.NoError(t, s.try("a", `for range 200 { for range 10 { a.Endless()() }; a.Collect() }`))
	require.Zero(t, open)
	require.Less(t, most, 1000)
}

func TestNamesThatLeadNowhereAreRefused(t *testing.T) {
	var l minigo.Library
	f := bind.Must(bind.New(func() int { return 1 }))
	for name, text := range map[string]string{
		"":            `bind: name "": want the path of a package and an exported function, such as "host/store.Get"`,
		"x":           `such as "host/store.Get"`,
		"x.get":       `such as "host/store.Get"`,
		"x..Get":      `such as "host/store.Get"`,
		"x.y.Get":     `such as "host/store.Get"`,
		".Get":        `such as "host/store.Get"`,
		"/x.Get":      `such as "host/store.Get"`,
		"x/../y.Get":  `such as "host/store.Get"`,
		"x y.Get":     `such as "host/store.Get"`,
		"x\".Get":     `such as "host/store.Get"`,
		"a/func.Get":  `such as "host/store.Get"`,
		"a/init.Get":  `such as "host/store.Get"`,
		"a/_.Get":     `such as "host/store.Get"`,
		"main.Get":    `the program has a package "main" without it`,
		"fmt.Get":     `the program has a package "fmt" without it`,
		"host.Get":    `the program has a package "host" without it`,
		"runtime.Get": `the program has a package "runtime" without it`,
	} {
		require.ErrorContains(t, l.Bind(name, f), text, name)
	}
	require.NoError(t, l.Bind("example.com/a-b/x1.Get", f))
	require.ErrorContains(t, l.Bind("example.com/a-b/x1.Get", f), "the name is taken")
}

func TestAHostMayBindAnotherFunctionOfTheSameType(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Get", func(n int) string { return "first" })
	one := s.host("a fmt", `func main() { fmt.Println(a.Get(1)) }`)
	require.NoError(t, one.Bind("a.Get", bind.Must(bind.New(func(n int) string { return fmt.Sprint("second ", n) }))))
	require.NoError(t, one.Run(s.ctx))
	require.Equal(t, "second 1\n", s.out.String())
	require.ErrorContains(t, one.Bind("a.Put", bind.Must(bind.New(func() {}))), "the program was compiled without it")
	require.EqualError(t, one.Bind("a.Get", bind.Must(bind.New(strings.ToUpper))),
		"bind: strings.ToUpper: the program was compiled with a.Get as func(int) string, got func(string) string")
}

func TestTheConversionOfAnArgumentIsPaidFor(t *testing.T) {
	s := set(t, minigo.Config{})
	s.cfg.Scheduler.Budget = 1000
	s.bound("a.Take", func([]int) {})
	s.bound("a.Give", func(n int) []int { return make([]int, n) })
	s.play("a runtime fmt", `
		turns := 0
		go func() { for { turns++; runtime.Gosched() } }()
		runtime.Gosched()
		list := make([]int, 1e5)
		before := turns
		a.Take(list)
		after := turns
		a.Give(1e5)
		if after - before < 90 || turns - after < 90 { panic(fmt.Sprint(after - before, " ", turns - after)) }`)
}

func TestABoundFunctionIsCountedByTheQuota(t *testing.T) {
	s := set(t, minigo.Config{Quota: quota.Limits{Memory: 1 << 20, Steps: 1e6}})
	s.bound("a.Give", func(n int) []int { return make([]int, n) })
	s.bound("a.Text", func(n int) string { return strings.Repeat("x", n) })
	for _, body := range []string{`_ = a.Give(1<<19)`, `s := a.Text(1<<22); for range 1000 { _ = make([]int, 1000) }; println(s)`, `var all [][]int; for { all = append(all, a.Give(1000)) }`} {
		err := s.try("a", body)
		passed, ok := errors.AsType[*quota.Error](err)
		require.True(t, ok, "%s: %v", body, err)
		require.Equal(t, quota.Memory, passed.Resource)
	}
	s.play("a", `for range 1000 { a.Give(100) }`) // garbage
	err := s.try("a", `for { a.Give(10) }`)
	require.ErrorContains(t, err, "steps")
}

func TestAFunctionMayKeepItsArguments(t *testing.T) {
	s := set(t, minigo.Config{})
	var kept [][]string
	s.bound("a.Keep", func(list []string, more ...string) { kept = append(kept, list, more) })
	s.play("a", `x := []string{"a"}; a.Keep(x, "m"); x[0] = "z"; a.Keep([]string{"b"}, "n")`)
	require.Equal(t, [][]string{{"a"}, {"m"}, {"b"}, {"n"}}, kept)
}

func TestTimesAreExact(t *testing.T) {
	s := set(t, minigo.Config{})
	var back []time.Time
	at := time.Date(2026, 2, 3, 4, 5, 6, 789_012_345, time.FixedZone("x", 3600))
	s.bound("a.Now", func() time.Time { return at })
	s.bound("a.Zero", func() time.Time { return time.Time{} })
	s.bound("a.Far", func() (time.Time, error) { return time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC), nil })
	s.bound("a.Keep", func(times ...time.Time) { back = times })
	require.Equal(t, "true 1770087906789012345 "+
		"a.Far: bind: result 1: 3000-01-01 00:00:00 +0000 UTC is not between the years 1678 and 2262, which a number of nanoseconds can represent\n",
		s.play("a fmt time", `
			a.Keep(a.Now(), a.Zero(), time.Time{}, a.Now().Add(time.Hour))
			_, err := a.Far()
			fmt.Println(a.Zero().IsZero(), a.Now().UnixNano(), err)`))
	require.Equal(t, []time.Time{at.UTC(), {}, {}, at.UTC().Add(time.Hour)}, back)
}

func TestAResultThatIsTooLargeByValueIsRefused(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Wide", func() [256]int { return [256]int{} })
	s.bound("a.Fits", func() (list [255]int) { list[254] = 7; return list })
	s.bound("a.Far", func(list *[1000]int) *[1000]int { list[999]++; return list })
	require.Equal(t, "7 1\n", s.play("a fmt", `fmt.Println(a.Fits()[254], a.Far(&[1000]int{})[999])`))
	require.Contains(t, s.refusal("a", `a.Wide()`), "minigo does not have results this large of a function of the host; return a pointer or a slice")
}

func TestAFunctionMayBeAValue(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Twice", func(n int) int { return 2 * n })
	s.boundBlocking("a.Slow", func(n int, err error) (int, error) { return 3 * n, err })
	require.Equal(t, "2 4 6\n3 <nil>\n8\n", s.play("a fmt", `
		each := func(f func(int) int) { fmt.Println(f(1), f(2), f(3)) }
		each(a.Twice)
		f := a.Slow
		fmt.Println(f(1, nil))
		defer fmt.Println(8)
		defer a.Twice(1)
		go a.Twice(2)`))
}
