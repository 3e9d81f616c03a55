package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

const called = `package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

type Item struct {
	Name  string
	Sizes []int
	Next  *Item
	hidden int
}

var table = map[string]int{"start": 1}
var total int

func init() { total = 100 }

func Add(x int, y float64) (int, float64) { time.Sleep(1); total += x; return total, y / 2 }

func Put(name string, item Item) map[string]int {
	table[name] = len(item.Sizes)
	if item.Next != nil {
		table[item.Next.Name] = -1
	}
	return table
}

func Make(n int8, raw []byte) (Item, []byte, any, error) {
	if n < 0 {
		return Item{}, nil, nil, fmt.Errorf("negative: %w", errors.New(string(raw)))
	}
	return Item{Name: "made", Sizes: make([]int, n)}, raw, [2]bool{true}, nil
}

func Check(err error) string { return "got " + err.Error() }

func Any(v any) string { return fmt.Sprintf("%T %v", v, v) }

func Fail(how string) {
	switch how {
	case "panic":
		panic("of " + how)
	case "goroutine":
		go panic("elsewhere")
		time.Sleep(1)
	case "exit":
		os.Exit(3)
	case "block":
		select {}
	}
	for {
	}
}

func Func() func() { return nil }

func main() { panic("main is not called") }
`

func calledHost(t *testing.T, cfg minigo.Config) *minigo.Host {
	t.Helper()
	host, err := minigo.New(compiled(t, "called.go", called), cfg)
	require.NoError(t, err)
	t.Cleanup(host.Close)
	return host
}

func TestGoCallsFunctionsOfTheProgram(t *testing.T) {
	for _, way := range ways() {
		host, ctx := calledHost(t, way), t.Context()
		values, err := host.Call(ctx, "Add", 7, 5)
		require.NoError(t, err)
		require.Equal(t, []any{107.0, 2.5}, values)
		values, err = host.Call(ctx, "Add", uint8(1), 1)
		require.NoError(t, err)
		require.Equal(t, []any{108.0, 0.5}, values)

		type item struct {
			Name  string
			Sizes []int
			Next  *item
		}
		counts, err := bind.Call[map[string]int](ctx, host, "Put", "a", item{Sizes: []int{1, 2}, Next: &item{Name: "b"}})
		require.NoError(t, err)
		require.Equal(t, map[string]int{"start": 1, "a": 2, "b": -1}, counts)

		var made item
		var raw []byte
		var pair [2]bool
		require.NoError(t, host.CallInto(ctx, []any{&made, &raw, &pair, new(error)}, "Make", 3, []byte("xyz")))
		require.Equal(t, item{Name: "made", Sizes: []int{0, 0, 0}}, made)
		require.Equal(t, "xyz", string(raw))
		require.Equal(t, [2]bool{true, false}, pair)

		var failed error
		require.NoError(t, host.CallInto(ctx, []any{&made, &raw, new(any), &failed}, "Make", -1, []byte("why")))
		require.EqualError(t, failed, "negative: why")

		text, err := bind.Call[string](ctx, host, "Check", errors.New("of Go"))
		require.NoError(t, err)
		require.Equal(t, "got of Go", text)
		for want, arg := range map[string]any{"int 7": 7, "string s": "s", "bool true": true, "float64 1.5": 1.5, "<nil> <nil>": nil} {
			text, err := bind.Call[string](ctx, host, "Any", arg)
			require.NoError(t, err)
			require.Equal(t, want, text)
		}
	}
}

func TestCallsThatCannotBeMadeAreRefused(t *testing.T) {
	host := calledHost(t, minigo.Config{})
	for _, c := range []struct {
		want, function string
		args           []any
	}{
		{"function: the program has no exported function main", "main", nil},
		{"function: Add has 2 parameters, got 1 arguments", "Add", []any{1}},
		{"argument 1: 300 does not fit into the type int8", "Make", []any{300, nil}},
		{"argument 1: want a value for the type int", "Add", []any{"x", 1}},
		{`argument 2: the type main.Item has no exported field "hidden"`, "Put", []any{"", map[string]any{"hidden": 1}}},
		{"argument 2.Sizes[1]: want a value for the type int", "Put", []any{"", map[string]any{"sizes": []any{1, "x"}}}},
		{"result 1: a value of the type func() does not pass", "Func", nil},
	} {
		_, err := host.Call(t.Context(), c.function, c.args...)
		var refused *bind.ValueError
		require.True(t, errors.As(err, &refused), "%v", err)
		require.EqualError(t, err, "bind: "+c.want)
	}
}

func TestACallEndsByItsFailureAndTheHostGoesOn(t *testing.T) {
	for _, way := range ways() {
		host := calledHost(t, way)
		_, err := host.Call(t.Context(), "Fail", "panic")
		var panicked *minigo.PanicError
		require.True(t, errors.As(err, &panicked), "%v", err)
		require.Contains(t, err.Error(), "panic: of panic")
		var dead *minigo.DeadlockError
		_, err = host.Call(t.Context(), "Fail", "block")
		require.True(t, errors.As(err, &dead), "%v", err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = host.Call(ctx, "Fail", "")
		require.ErrorIs(t, err, context.Canceled)
		values, err := host.Call(t.Context(), "Add", 1, 1)
		require.NoError(t, err)
		require.Equal(t, []any{101.0, 0.5}, values)

		for how, want := range map[string]string{"goroutine": "panic: elsewhere", "exit": "exit status 3"} {
			host := calledHost(t, way)
			_, err := host.Call(t.Context(), "Fail", how)
			require.ErrorContains(t, err, want)
			_, err = host.Call(t.Context(), "Add", 1, 1)
			require.ErrorContains(t, err, want)
		}
	}
}

func TestAQuotaHoldsForAllCallsOfAHost(t *testing.T) {
	host := calledHost(t, minigo.Config{Quota: quota.Limits{Steps: 10_000}})
	_, err := host.Call(t.Context(), "Add", 1, 1)
	require.NoError(t, err)
	for range 2 {
		_, err = host.Call(t.Context(), "Fail", "")
		var passed *quota.Error
		require.True(t, errors.As(err, &passed), "%v", err)
		require.EqualValues(t, 10_000, passed.Spent.Steps)
	}
}

func TestAHostServesCallsOfOtherGoroutines(t *testing.T) {
	for _, way := range ways() {
		host := calledHost(t, way)
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error)
		go func() { served <- host.Serve(ctx) }()
		failing, err := host.Start("Fail", "panic")
		require.NoError(t, err)
		_, err = failing.Result(t.Context())
		require.ErrorContains(t, err, "panic: of panic")
		waiting, err := host.Start("Fail", "block")
		require.NoError(t, err)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				call, err := host.Start("Add", 1, 1)
				if err == nil {
					_, err = call.Result(t.Context())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		cause := errors.New("enough")
		require.NoError(t, waiting.Cancel(cause))
		_, err = waiting.Result(t.Context())
		require.ErrorIs(t, err, cause)
		total, err := host.Start("Add", 0, 0)
		require.NoError(t, err)
		var sum int
		require.NoError(t, total.ResultInto(t.Context(), &sum, new(any)))
		require.Equal(t, 120, sum)
		stop()
		require.ErrorIs(t, <-served, context.Canceled)
	}
}

// TestTwoHostsRunOneProgramAtOnce is for the race detector.
func TestTwoHostsRunOneProgramAtOnce(t *testing.T) {
	program := compiled(t, "called.go", called)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			host, err := minigo.New(program, minigo.Config{})
			if err != nil {
				t.Error(err)
				return
			}
			defer host.Close()
			for i := range 200 {
				values, err := host.Call(t.Context(), "Add", 1, 1)
				if err != nil || fmt.Sprint(values[0]) != strconv.Itoa(101+i) {
					t.Error(values, err)
				}
			}
		})
	}
	all.Wait()
}
