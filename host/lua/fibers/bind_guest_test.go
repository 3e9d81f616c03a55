package fibers

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/quota"
)

func TestAGoFunctionCallsAFunctionOfTheProgram(t *testing.T) {
	s := set(t, Config{})
	s.bound("map", func(list []int, f func(int) (string, error)) (all []string, err error) {
		for _, n := range list {
			text, err := f(n)
			if err != nil {
				return all, fmt.Errorf("map %d: %w", n, err)
			}
			all = append(all, text)
		}
		return all, nil
	})
	s.bound("sorted", func(words []string, less func(a, b string) bool) []string {
		sort.SliceStable(words, func(i, j int) bool { return less(words[i], words[j]) })
		return words
	})
	s.bound("twice", func(f func()) { f(); f() })
	s.bound("sum", func(f func(...float64) float64) float64 { return f(1, 2, 3) })
	s.bound("both", func(f func() (int, user)) (int, string) { n, u := f(); return n, u.Name })
	s.bound("absent", func(f func()) bool { return f == nil })
	s.play(`
		print(table.concat(map({1, 2}, function(n) return "n" .. n end), " "))
		print(table.concat(sorted({"b", "a", "c"}, function(a, b) return a > b end)))
		local n = 0
		twice(function() n = n + 1 fiber.sleep(1) twice(function() n = n + 10 end) end)
		print(n, fiber.now())
		print(sum(function(a, b, c) return a + b * c end), both(function() return 5, {name = "ada"} end))
		print(absent(nil), absent(), absent(print))
		local co = coroutine.wrap(function() return sum(function(a) return coroutine.yield(a) end) end)
		print(co(), co(9))
		local up = 1
		local get = function() return up end
		print(pcall(twice, function() up = up + 1 error("x", 0) end))
		print(up, get())`)
	require.Equal(t, "n1 n2\ncba\n42\t2\n7\t5\tada\ntrue\ttrue\tfalse\n1\t9\nfalse\tx\n2\t2\n", s.printed())
}

func TestTheErrorOfAFunctionOfTheProgramKeepsItsIdentity(t *testing.T) {
	s := set(t, Config{})
	var seen error
	s.bound("fail", func() error { return os.ErrNotExist })
	s.bound("catch", func(f func() error) { seen = f() })
	s.bound("pass", func(f func() error) error { return f() })
	s.bound("wrap", func(f func() error) error { return fmt.Errorf("wrapped: %w", f()) })
	s.bound("plain", func(f func()) string { f(); return "never" })
	s.bound("number", func(f func() int) int { return f() })
	s.play(`
		local object = {}
		catch(function() fail() end)
		print(select(2, pcall(pass, function() error(object) end)) == object, select(2, pcall(plain, function() error(object) end)) == object)
		print(select(2, pcall(pass, function() error("text") end)), select(2, pcall(wrap, function() error("text", 0) end)))
		print(pcall(number, function() return "x" end))
		print(pcall(number, function() return 1, 2 end))
		print(pcall(number, function() return end))
		print(pcall(number, 5))
		print(pcall(number, {}))`)
	require.ErrorIs(t, seen, os.ErrNotExist)
	require.Equal(t, `true	true
p.lua:5: text	wrapped: text
false	number: a function of the program: result 1: want a whole number from -2^63 to 2^63-1, got the string "x"
false	number: the function of the program returned 2 results, want 1
false	number: a function of the program: result 1: want a whole number from -2^63 to 2^63-1, got nil
false	p.lua:9: number: argument 1: want a function, got the number 5
false	p.lua:10: number: argument 1: want a function, got a table
`, strings.ReplaceAll(s.printed(), "bind: ", ""))
	for _, program := range []string{`pass(fail)`, `plain(fail)`, `wrap(function() plain(fail) end)`, `plain(function() pcall(error) fail() end)`} {
		require.ErrorIs(t, s.try(program), os.ErrNotExist, program)
	}
	require.NotErrorAs(t, s.try(`plain(fail)`), new(*bind.PanicError))
}

func TestAKilledFiberUnwindsTheGoFunctionThatItIsIn(t *testing.T) {
	for _, end := range []string{`fiber.sleep(1e9)`, `while true do pcall(string.rep, "x", 10) end`} {
		s := set(t, slice(1000))
		unwound := 0
		s.bound("during", func(f func() error) error {
			defer func() { unwound++ }()
			err := f()
			return errors.Join(err, errors.New("continued"))
		})
		s.play(`
			local task = fiber.spawn(function() during(function() pcall(during, function() ` + end + ` end) end) print "never" end)
			fiber.yield() fiber.yield() task:cancel() print(task:join())`)
		require.Equal(t, 2, unwound)
		require.NotContains(t, s.printed(), "never")
		require.NotContains(t, s.printed(), "continued")
	}
}

func TestTheWorkOfCallingAFunctionOfTheProgramIsCounted(t *testing.T) {
	s := set(t, limited(slice(1000), quota.Limits{Steps: 1 << 20}))
	s.bound("take", func(f func() []int) {
		for {
			f()
		}
	})
	s.bound("give", func(f func([]int)) {
		for {
			f(make([]int, 1000))
		}
	})
	passed(t, s.try(`local list = {} for i = 1, 1000 do list[i] = i end local n = 0 take(function() n = n + 1 assert(n < 2000) return list end)`), quota.Steps)
	s = set(t, limited(slice(1000), quota.Limits{Steps: 1 << 20}))
	s.bound("give", func(f func([]int)) {
		for {
			f(make([]int, 1000))
		}
	})
	passed(t, s.try(`local n = 0 give(function() n = n + 1 assert(n < 2000) end)`), quota.Steps)
}

func TestAFunctionOfTheProgramIsNotCalledAfterTheCall(t *testing.T) {
	s := set(t, Config{})
	var kept func() error
	var bare func()
	s.bound("keep", func(f func() error, g func()) { kept, bare = f, g })
	s.bound("use", func() error { return kept() })
	s.bound("other", func(f func() error) error {
		failed := make(chan error)
		go func() { failed <- f() }()
		return <-failed
	})
	s.play(`keep(print, print)`)
	require.EqualError(t, kept(), "bind: keep: a function of the guest is called after the call that it was passed to has returned; keep no such function")
	require.Panics(t, bare)
	require.ErrorContains(t, s.try(`use()`), "after the call that it was passed to has returned")
	require.ErrorContains(t, s.try(`keep(print, print) keep(print, print) use()`), "after the call that it was passed to has returned")
	require.ErrorContains(t, s.try(`other(print)`), "is called on another goroutine; call it on that of the Go function")
}

func TestTypesOfFunctionsOfTheProgramAreChecked(t *testing.T) {
	for text, fn := range map[string]any{
		`parameter 1: parameter 1: chan int: cannot pass`:                                                func(func(chan int)) {},
		`parameter 1: result 1: chan int: cannot pass`:                                                   func(func() chan int) {},
		`parameter 1: parameter 1: func(): cannot pass`:                                                  func(func(func())) {},
		`parameter 1: elements: func(): cannot pass`:                                                     func([]func()) {},
		`parameter 1: elements: func(): cannot pass `:                                                    func(...func()) {},
		`result 1: func(): cannot pass`:                                                                  func() func() { return nil },
		`parameter 2: func(): a function of the guest runs on the goroutine that owns the host; use New`: nil,
	} {
		if fn == nil {
			_, err := bind.NewBlocking(func(int, func()) {})
			require.ErrorContains(t, err, text)
			continue
		}
		_, err := bind.New(fn)
		require.ErrorContains(t, err, strings.TrimSpace(text))
	}
}
