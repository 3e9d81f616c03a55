package minigo_test

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

func TestAGoFunctionCallsAFunctionOfTheProgram(t *testing.T) {
	for _, way := range ways() {
		s := set(t, way)
		s.bound("a.Map", func(list []int, f func(int) (string, error)) (all []string, err error) {
			for _, n := range list {
				text, err := f(n)
				if err != nil {
					return all, fmt.Errorf("map %d: %w", n, err)
				}
				all = append(all, text)
			}
			return all, nil
		})
		s.bound("a.Sorted", func(words []string, less func(a, b string) bool) []string {
			sort.SliceStable(words, func(i, j int) bool { return less(words[i], words[j]) })
			return words
		})
		s.bound("a.Twice", func(f func()) { f(); f() })
		s.bound("a.Sum", func(f func(...float64) float64) float64 { return f(1, 2, 3) })
		s.bound("a.Both", func(f func(user) (int, *user), g func(error, any) (any, error)) (int, string, error) {
			n, u := f(user{Name: "eve"})
			v, err := g(os.ErrClosed, []string{"x"})
			return n, fmt.Sprint(u.Name, v), err
		})
		s.bound("a.Absent", func(f func()) bool { return f == nil })
		require.Equal(t, `[n1 n2] <nil>
[c b a]
22
2s
7
5 eve!3 file already closed true
true
inner outer 4
`, s.play("a errors fmt time", `
			fmt.Println(a.Map([]int{1, 2}, func(n int) (string, error) { return fmt.Sprint("n", n), nil }))
			fmt.Println(a.Sorted([]string{"b", "a", "c"}, func(x, y string) bool { return x > y }))
			n := 0
			begun := time.Now()
			go func() { for range 3 { time.Sleep(time.Second) } }()
			a.Twice(func() { n++; time.Sleep(time.Second); a.Twice(func() { n += 5 }) })
			fmt.Println(n)
			fmt.Println(time.Since(begun))
			fmt.Println(a.Sum(func(list ...float64) float64 { return list[0] + list[1]*list[2] }))
			c, text, err := a.Both(
				func(u a.User) (int, *a.User) { u.Name += "!"; return 5, &u },
				func(err error, v any) (any, error) { return len(v.([]any)) + 2, err })
			fmt.Println(c, text, err, errors.Is(err, err))
			fmt.Println(a.Absent(nil))
			defer func() { fmt.Println(recover(), "outer", n) }()
			a.Twice(func() { defer func() { r := recover(); n = 4; panic(r) }(); panic("inner") })`))
	}
}

func TestTheErrorOfAFunctionOfTheProgramKeepsItsIdentity(t *testing.T) {
	s := set(t, minigo.Config{})
	var seen []error
	s.bound("a.Fail", func() error { return os.ErrNotExist })
	s.bound("a.Catch", func(f func() error) { seen = append(seen, f()) })
	s.bound("a.Wrap", func(f func() error) error { return fmt.Errorf("wrapped: %w", f()) })
	s.bound("a.Deep", func(f func() any) error { f(); return nil })
	require.Equal(t, "wrapped: go: file does not exist true\n", s.play("a errors fmt", `
		a.Catch(a.Fail)
		a.Catch(func() error { return fmt.Errorf("go: %w", a.Fail()) })
		a.Catch(func() error { return nil })
		err := a.Wrap(func() error { return fmt.Errorf("go: %w", a.Fail()) })
		fmt.Println(err, errors.Is(err, a.Fail()))`))
	require.Equal(t, os.ErrNotExist, seen[0])
	require.ErrorIs(t, seen[1], os.ErrNotExist)
	require.NoError(t, seen[2])
	require.ErrorContains(t, s.try("a", `a.Deep(func() any { return make(chan int) })`), "a.Deep: a function of the program: bind: result 1: a value of the type chan int does not pass")
}

func TestAGoroutineThatEndsUnwindsTheGoFunctionThatItIsIn(t *testing.T) {
	for end, cause := range map[string]string{
		`panic("x")`: "panic: x", `runtime.Goexit()`: "no goroutines (main called runtime.Goexit)", `os.Exit(3)`: "exit status 3", `select {}`: "all goroutines are asleep",
		`var list []int; list[0]++`: "index out of range", `for { }`: "the quota is used up: steps", `go panic("y"); select {}`: "panic: y",
	} {
		s := set(t, minigo.Config{Quota: quota.Limits{Steps: 1e6}})
		unwound := 0
		s.bound("a.During", func(f func() error) error {
			defer func() { unwound++ }()
			err := f()
			panic(errors.Join(err, errors.New("continued")))
		})
		err := s.try("a os runtime", `a.During(func() error { return a.During(func() error { `+end+`; return nil }) }); _, _ = os.Args, runtime.GC`)
		require.ErrorContains(t, err, cause)
		require.NotContains(t, err.Error(), "a Go function failed")
		require.Equal(t, 2, unwound, end)
	}
}

func TestTheWorkOfCallingAFunctionOfTheProgramIsCounted(t *testing.T) {
	s := set(t, minigo.Config{Quota: quota.Limits{Steps: 1 << 20}})
	s.bound("a.Take", func(f func() []int) {
		for {
			f()
		}
	})
	s.bound("a.Give", func(f func([]int)) {
		for {
			f(make([]int, 1000))
		}
	})
	for _, body := range []string{
		`list, n := make([]int, 1000), 0; a.Take(func() []int { if n++; n > 2000 { panic(n) }; return list })`,
		`n := 0; a.Give(func([]int) { if n++; n > 2000 { panic(n) } })`,
	} {
		passed, ok := errors.AsType[*quota.Error](s.try("a", body))
		require.True(t, ok)
		require.Equal(t, quota.Steps, passed.Resource)
	}
}

func TestAFunctionOfTheProgramIsNotCalledAfterTheCall(t *testing.T) {
	s := set(t, minigo.Config{})
	var kept func() error
	var bare func()
	s.bound("a.Keep", func(f func() error, g func()) { kept, bare = f, g })
	s.bound("a.Use", func() error { return kept() })
	s.bound("a.Other", func(f func() error) error {
		failed := make(chan error)
		go func() { failed <- f() }()
		return <-failed
	})
	require.Equal(t, "bind: a.Keep: a function of the guest is called after the call that it was passed to has returned; keep no such function\n", s.play("a fmt", `
		f := func() error { return nil }
		a.Keep(f, nil)
		a.Keep(f, func() {})
		fmt.Println(a.Use())`))
	require.Panics(t, bare)
	require.ErrorContains(t, s.try("a", `panic(a.Other(func() error { return nil }))`), "is called on another goroutine; call it on that of the Go function")
}

func TestACallWithFunctionsIsFreshEachTime(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Sum", func(list []int, f func(int) int) (sum int) {
		for _, n := range list {
			sum += f(n)
		}
		return sum
	})
	require.Equal(t, "1200 165\n", s.play("a fmt", `
		all, results := 0, make(chan int)
		for i := range 50 {
			go func() { results <- a.Sum([]int{i, 1}, func(n int) int { if n == 30 { return a.Sum([]int{5}, func(n int) int { return n }) }; return n }) }()
		}
		for range 50 { all += <-results }
		var none func(int) int
		fmt.Println(all - 50 + 5 - 5, a.Sum([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, func(n int) int { return 3 * n }) + a.Sum(nil, none))`))
}

func TestBoundTypesOfFunctionsAreCheckedByTheCompiler(t *testing.T) {
	s := set(t, minigo.Config{})
	s.bound("a.Map", func(f func(int) (string, error)) {})
	require.Contains(t, s.refusal("a", `a.Map(func(s string) (string, error) { return s, nil })`), "in argument to a.Map\n\ta.Map is func(func(int) (string, error)) of the host")
	_, err := bind.NewBlocking(func(func()) {})
	require.ErrorContains(t, err, "a function of the guest runs on the goroutine that owns the host; use New")
}
