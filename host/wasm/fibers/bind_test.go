package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// bumper is a guest's malloc that never frees, and functions for results in memory.
const bumper = `
	import "selvage" "result" result (i32 i32)
	import "selvage" "yield" yield ()
	memory 4
	global top i32 1024
	func malloc (i32) (i32) export
		global.get top
		global.get top local.get 0 i32.add i32.const 7 i32.add i32.const -8 i32.and global.set top
	end
	func address (i64) (i32) local.get 0 i64.const 32 i64.shr_u i32.wrap_i64 end
	func size (i64) (i32) local.get 0 i32.wrap_i64 end
	func answer (i64) local.get 0 call address local.get 0 call size call result end
	func echo (i32 i32) export local.get 0 local.get 1 call result end
	`

// callee is a Host whose functions a test calls.
type callee struct {
	*fibers.Host
	ctx context.Context
	t   *testing.T
}

// callable makes a Host of a guest with Go functions; imports says how it imports them.
func callable(t *testing.T, cfg fibers.Config, functions map[string]any, text string) *callee {
	t.Helper()
	known := goleak.IgnoreCurrent()
	p, err := fibers.Compile("p.wasm", asm.Assemble(importsFirst(bumper, text)), wasm.Config{Cache: cache})
	require.NoError(t, err)
	cfg.Program = p
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		h.Close()
		require.Zero(t, h.Runtime().Fibers().Scheduler().Inspect().Live())
		p.Close()
		goleak.VerifyNone(t, known)
	})
	for name, fn := range functions {
		f, ok := fn.(*bind.Func)
		if !ok {
			f, err = bind.New(fn)
			require.NoError(t, err)
		}
		require.NoError(t, h.Bind(name, f))
	}
	return &callee{h, long.Context(t), t}
}

// importsFirst puts the imports of both texts before their functions.
func importsFirst(texts ...string) string {
	var imports, rest strings.Builder
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		if strings.HasPrefix(strings.TrimSpace(line), "import ") {
			imports.WriteString(line)
			continue
		}
		rest.WriteString(line)
	}
	return imports.String() + rest.String()
}

func TestGoFunctionsAreImported(t *testing.T) {
	type point struct{ X, Y int }
	h := callable(t, fibers.Config{}, map[string]any{
		"env.add":   func(a int8, b uint32) int64 { return int64(a) + int64(b) },
		"env.half":  func(x float32) float64 { return float64(x) / 2 },
		"env.not":   func(b bool) bool { return !b },
		"env.upper": strings.ToUpper,
		"env.flip":  func(p point) *point { return &point{p.Y, p.X} },
		"env.bytes": func(b []byte) []byte { return append(b, 0xff) },
		"env.later": func(at time.Time, d time.Duration) time.Time { return at.Add(d) },
		"env.next":  netip.Addr.Next,
		"env.total": func(list ...int) (n int) {
			for _, v := range list {
				n += v
			}
			return n
		},
		"deep.env.big": func() uint64 { return 1<<64 - 1 },
	}, `
		import "env" "add" add (i32 i32) (i64)
		import "env" "half" half (f32) (f64)
		import "env" "not" not (i32) (i32)
		import "env" "upper" upper (i32 i32) (i64)
		import "env" "flip" flip (i32 i32) (i64)
		import "env" "bytes" bytes (i32 i32) (i64)
		import "env" "later" later (i32 i32 i64) (i64)
		import "env" "next" next (i32 i32) (i64)
		import "env" "total" total (i32 i32) (i64)
		import "deep.env" "big" big () (i64)
		func add2 (i32 i32) (i64) export local.get 0 local.get 1 call add end
		func half2 (f32) (f64) export local.get 0 call half end
		func not2 (i32) (i32) export local.get 0 call not end
		func upper2 (i32 i32) export local.get 0 local.get 1 call upper call answer end
		func flip2 (i32 i32) export local.get 0 local.get 1 call flip call answer end
		func bytes2 (i32 i32) (i32) export local.get 0 local.get 1 call bytes call size end
		func later2 (i32 i32 i64) export local.get 0 local.get 1 local.get 2 call later call answer end
		func total2 (i32 i32) (i64) export local.get 0 local.get 1 call total end
		func big2 () (i64) export call big end`)
	for _, row := range []struct {
		fn   string
		args []any
		want any
	}{
		{"add2", []any{-3, uint32(1 << 31)}, 1<<31 - 3.0}, {"half2", []any{5}, 2.5}, {"not2", []any{true}, 0.0}, {"not2", []any{0}, 1.0},
		{"upper2", []any{`"täxt"`}, "TÄXT"}, {"flip2", []any{point{1, 2}}, map[string]any{"x": 2.0, "y": 1.0}}, {"bytes2", []any{[]byte("\x00\x80")}, 3.0},
		{"bytes2", []any{""}, 1.0}, {"total2", []any{[]int{1, 2, 3}}, 6.0}, {"total2", []any{[]any{}}, 0.0}, {"total2", []any{""}, 0.0}, {"big2", nil, -1.0},
	} {
		got, err := h.Call(h.ctx, row.fn, row.args...)
		require.NoError(t, err, row.fn)
		require.Equal(t, []any{row.want}, got, row.fn)
	}
	big, err := bind.Call[int64](h.ctx, h, "big2")
	require.NoError(t, err)
	require.EqualValues(t, -1, big)
	p, err := bind.Call[point](h.ctx, h, "flip2", map[string]int{"x": 5})
	require.NoError(t, err)
	require.Equal(t, point{0, 5}, p)
}

func TestAMistakeOfAProgramIsAnErrorWithItsPlace(t *testing.T) {
	type user struct{ Tags []string }
	h := callable(t, fibers.Config{}, map[string]any{"env.small": func(int8) {}, "env.user": func(user, uint8) {}, "env.nan": func() any { return map[string]float64{"x": nan()} }}, `
		import "env" "small" small (i32)
		import "env" "user" user (i32 i32 i32)
		import "env" "nan" nan () (i64)
		func small2 (i32) export local.get 0 call small end
		func user2 (i32 i32 i32) export local.get 0 local.get 1 local.get 2 call user end
		func away () export i32.const -5 i32.const 100 i32.const 0 call user end
		func odd () export i32.const 0 i32.const -1 call result end
		func nan2 () export call nan call answer end
		func twice () (i64 i64) export i64.const 1 i64.const 2 end`)
	for text, call := range map[string]func() error{
		"p.wasm: small2: env.small: bind: argument 1: want a whole number from -128 to 127, got the number 128": func() error { _, err := h.Call(h.ctx, "small2", 128); return err },
		`p.wasm: user2: env.user: bind: argument 1.tags[1]: want a string, got the number 5`:                    func() error { _, err := h.Call(h.ctx, "user2", map[string]any{"tags": []any{"a", 5}}, 0); return err },
		`env.user: bind: argument 1: want the fields tags, got the string "tag"`:                                func() error { _, err := h.Call(h.ctx, "user2", `{"tag":[]}`, 0); return err },
		`env.user: bind: argument 2: want a whole number from 0 to 255, got the number 256`:                     func() error { _, err := h.Call(h.ctx, "user2", `{}`, 256); return err },
		`env.user: bind: argument 1: want JSON: invalid character 'x'`:                                          func() error { _, err := h.Call(h.ctx, "user2", `x`, 0); return err },
		`env.user: bind: argument 1: more than one value of JSON`:                                               func() error { _, err := h.Call(h.ctx, "user2", `{}{}`, 0); return err },
		`p.wasm: away: env.user: argument 1: 100 bytes at 0xfffffffb: trap: out of bounds memory access`:        func() error { _, err := h.Call(h.ctx, "away"); return err },
		`4294967295 bytes at 0x0: trap: out of bounds memory access`:                                            func() error { _, err := h.Call(h.ctx, "odd"); return err },
		`env.nan: bind: result 1["x"]: the number NaN has no form in JSON`:                                      func() error { _, err := h.Call(h.ctx, "nan2"); return err },
		`bind: function: the program exports no function "none"`:                                                func() error { _, err := h.Call(h.ctx, "none"); return err },
		`bind: function: want the name of an exported function, got int 5`:                                      func() error { _, err := h.Call(h.ctx, 5); return err },
		`bind: argument 1: the function has an i32 there, which the number 5000000000 does not fit`:             func() error { _, err := h.Call(h.ctx, "small2", 5_000_000_000); return err },
		`bind: argument 1: the function has an i32 there, which the number 1.5 does not fit`:                    func() error { _, err := h.Call(h.ctx, "small2", 1.5); return err },
		`bind: argument 1: the string "x" needs two i32 there, an address and a length`:                         func() error { _, err := h.Call(h.ctx, "small2", "x"); return err },
		`bind: argument 1: the function has more parameters: want 1 words of wasm, got 0`:                       func() error { _, err := h.Call(h.ctx, "small2"); return err },
		`bind: argument 2: the function has 1 parameters of wasm`:                                               func() error { _, err := h.Call(h.ctx, "small2", 1, 2); return err },
		`bind: argument 1: a chan int has no value in the guest`:                                                func() error { _, err := h.Call(h.ctx, "small2", make(chan int)); return err },
		`bind: result 2: the function returned 2 results, want 1`:                                               func() error { _, err := bind.Call[int](h.ctx, h, "twice"); return err },
		`bind: result 1: want a string, got the number 1`:                                                       func() error { return h.CallInto(h.ctx, []any{new(string), new(int)}, "twice") },
	} {
		require.ErrorContains(t, call(), text)
	}
	got, err := h.Call(h.ctx, "twice")
	require.NoError(t, err)
	require.Equal(t, []any{1.0, 2.0}, got)
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestAGoErrorKeepsItsIdentityThroughWasm(t *testing.T) {
	cause := fmt.Errorf("no row: %w", os.ErrNotExist)
	h := callable(t, fibers.Config{}, map[string]any{"env.fail": func() error { return cause }, "env.crash": func() { panic(os.ErrClosed) }}, `
		import "env" "fail" fail ()
		import "env" "crash" crash ()
		func fail2 () export call fail end
		func crash2 () export call crash end`)
	_, err := h.Call(h.ctx, "fail2")
	require.ErrorIs(t, err, cause)
	require.EqualError(t, err, "p.wasm: fail2: no row: file does not exist")
	_, err = h.Call(h.ctx, "crash2")
	require.ErrorIs(t, err, os.ErrClosed)
	require.EqualError(t, err, "p.wasm: crash2: env.crash panicked: file already closed")
	broken, ok := errors.AsType[*bind.PanicError](err)
	require.True(t, ok)
	require.Contains(t, string(broken.Stack), "bind_test.go")
}

func TestWhatWasmCannotImportIsRefused(t *testing.T) {
	h := callable(t, fibers.Config{}, nil, "")
	one := bind.Must(bind.New(func() int { return 1 }))
	for text, err := range map[string]error{
		`parameter 2: func(): a program of wasm cannot pass a function`:                                                            h.Bind("a.g", bind.Must(bind.New(func(int, func()) {}))),
		`result 2: int: a function for wasm has one result at most, besides an error, and no iterator; return a struct or a slice`: h.Bind("a.b", bind.Must(bind.New(func() (int, int) { return 1, 2 }))),
		`result 1: iter.Seq[int]: a function for wasm`:                                                                             h.Bind("a.b", bind.Must(bind.New(func() iter.Seq[int] { return nil }))),
		`bind: name "b": want module.function`:                                                                                     h.Bind("b", one),
		`bind: name ".b": want module.function`:                                                                                    h.Bind(".b", one),
		`bind: name "a.": want module.function`:                                                                                    h.Bind("a.", one),
		`bind: name "selvage.yield": want module.function, with a module that the engine does not have yet`:                        h.Bind("selvage.yield", one),
	} {
		require.ErrorContains(t, err, text)
	}
	require.NoError(t, h.Bind("a.b", one))
	require.EqualError(t, h.Bind("a.b", one), `bind: name "a.b": the name is taken`)
}

func TestCallsShareAnInstanceUntilOneFails(t *testing.T) {
	h := callable(t, fibers.Config{}, nil, `
		global n i64 0
		func count () (i64) export global.get n i64.const 1 i64.add global.set n call yield global.get n end
		func fail () export unreachable end
		func grab () export i32.const 0 call malloc drop end`)
	for want := range 3 {
		n, err := bind.Call[int](h.ctx, h, "count")
		require.NoError(t, err)
		require.Equal(t, want+1, n)
	}
	_, err := h.Call(h.ctx, "none")
	require.Error(t, err)
	n, err := bind.Call[int](h.ctx, h, "count")
	require.NoError(t, err)
	require.Equal(t, 4, n)
	_, err = h.Call(h.ctx, "fail")
	require.ErrorIs(t, err, wasm.Unreachable)
	n, err = bind.Call[int](h.ctx, h, "count")
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestAProgramWithoutMallocTakesNumbersOnly(t *testing.T) {
	p, err := fibers.Compile("p.wasm", asm.Assemble(`
		memory 1
		func f (i32 i32) export end`), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	h, err := fibers.New(fibers.Config{Program: p})
	require.NoError(t, err)
	defer h.Close()
	_, err = h.Call(t.Context(), "f", "text")
	require.EqualError(t, err, "argument 1: the module exports no function malloc (size i32) address i32, which strings and other values need")
	_, err = h.Call(t.Context(), "f", "")
	require.NoError(t, err)
}

func TestABadMallocIsAnErrorOfTheProgram(t *testing.T) {
	for text, body := range map[string]string{
		"malloc(4) returned 0x0: trap: out of bounds memory access":        "i32.const 0",
		"malloc(4) returned 0xfffffffe: trap: out of bounds memory access": "i32.const -2",
		"trap: unreachable": "unreachable",
	} {
		p, err := fibers.Compile("p.wasm", asm.Assemble("memory 1 func malloc (i32) (i32) export "+body+" end func f (i32 i32) export end"), wasm.Config{Cache: cache})
		require.NoError(t, err)
		h, err := fibers.New(fibers.Config{Program: p})
		require.NoError(t, err)
		_, err = h.Call(t.Context(), "f", "text")
		require.ErrorContains(t, err, text)
		h.Close()
	}
}

func TestABlockingFunctionOfWasmWaitsAndIsCancelled(t *testing.T) {
	started, ended := make(chan struct{}), make(chan error, 1)
	var cfg fibers.Config
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h := callable(t, cfg, map[string]any{
		"env.hang": bind.Must(bind.NewBlocking(func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil
		})),
		"env.read": bind.Must(bind.NewBlocking(func(name string) ([]byte, error) { return []byte(`"` + name + `!"`), nil })),
	}, `
		import "env" "hang" hang ()
		import "env" "read" read (i32 i32) (i64)
		func hang2 () export call hang end
		func read2 (i32 i32) export local.get 0 local.get 1 call read call answer end`)
	got, err := h.Call(h.ctx, "read2", "file")
	require.NoError(t, err)
	require.Equal(t, []any{"file!"}, got)
	ctx, cancel := context.WithCancel(h.ctx)
	go func() { <-started; cancel() }()
	_, err = h.Call(ctx, "hang2")
	require.ErrorIs(t, err, context.Canceled)
	require.Error(t, <-ended)
	got, err = h.Call(h.ctx, "read2", "again")
	require.NoError(t, err)
	require.Equal(t, []any{"again!"}, got)
}

func TestGoroutinesPostCallsToAHostThatServes(t *testing.T) {
	h := callable(t, fibers.Config{}, nil, `
		global n i64 0
		func add (i64) (i64) export global.get n local.get 0 i64.add global.set n call yield global.get n end
		func forever () export loop br 0 end end
		func stuck () export unreachable end`)
	early, err := h.Start("add", 1)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(h.ctx)
	served := make(chan error)
	go func() { served <- h.Serve(ctx) }()
	sum := 1
	for i := range 20 {
		sum += i
		handle, err := h.Start("add", i)
		require.NoError(t, err)
		got, err := bind.Result[int](h.ctx, handle)
		require.NoError(t, err)
		require.Equal(t, sum, got)
	}
	got, err := early.Result(h.ctx)
	require.NoError(t, err)
	require.Equal(t, []any{1.0}, got)
	endless, err := h.Start("forever")
	require.NoError(t, err)
	waits, err := h.Start("add", 0)
	require.NoError(t, err)
	require.NoError(t, endless.Cancel(os.ErrClosed))
	_, err = endless.Result(h.ctx)
	require.ErrorIs(t, err, scheduler.ErrCancelled)
	got, err = waits.Result(h.ctx) // a new instance
	require.NoError(t, err)
	require.Equal(t, []any{0.0}, got)
	none, err := h.Start("none")
	require.NoError(t, err)
	_, err = none.Result(h.ctx)
	require.ErrorAs(t, err, new(*bind.ValueError))
	stop()
	require.ErrorIs(t, <-served, context.Canceled)
	_, err = h.Start("add", make(chan int))
	require.ErrorAs(t, err, new(*bind.ValueError))
}

func TestACallOfWasmThatDeadlocksSaysSoAndTheNextOneWorks(t *testing.T) {
	h := callable(t, fibers.Config{}, nil, `
		import "selvage" "chan" chan (i32) (i32)
		import "selvage" "recv" recv (i32 i32 i64) (i32)
		func stuck () export i32.const 0 call chan i32.const 8 i64.const -1 call recv drop end
		func one () (i32) export i32.const 1 end`)
	_, err := h.Call(h.ctx, "stuck")
	require.ErrorAs(t, err, new(*scheduler.DeadlockError))
	got, err := h.Call(h.ctx, "one")
	require.NoError(t, err)
	require.Equal(t, []any{1.0}, got)
}

func TestCallsWithoutAProgramOrAContextAreRefused(t *testing.T) {
	h, err := fibers.New(fibers.Config{})
	require.NoError(t, err)
	defer h.Close()
	require.PanicsWithValue(t, "fibers: Call on a Host without a program; set Config.Program: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)", func() { _, _ = h.Call(t.Context(), "f") })
	var none context.Context
	require.PanicsWithValue(t, "fibers: Serve has no context; pass context.Background() for no limit: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)", func() { _ = h.Serve(none) })
	handle, err := h.Start("f")
	require.NoError(t, err)
	_, err = h.Run(t.Context(), "p.wasm", assemble(`func run () export i64.const 1 call sleep end`))
	require.NoError(t, err)
	_, err = handle.Result(t.Context())
	require.EqualError(t, err, "bind: function: the Host has no program for calls; set Config.Program")
	_, err = fibers.Compile("p.wasm", []byte("no wasm"), wasm.Config{})
	require.ErrorAs(t, err, new(*wasm.ModuleError))
}

func TestAClosedHostTakesNoCalls(t *testing.T) {
	p, err := fibers.Compile("p.wasm", asm.Assemble(bumper), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	for _, used := range []bool{false, true} {
		h, err := fibers.New(fibers.Config{Program: p})
		require.NoError(t, err)
		if used {
			_, err = h.Call(t.Context(), "malloc", 5)
			require.NoError(t, err)
		}
		h.Close()
		_, err = h.Start("malloc", 5)
		require.ErrorIs(t, err, scheduler.ErrStopped)
		_, err = h.Call(t.Context(), "malloc", 5)
		require.ErrorIs(t, err, scheduler.ErrStopped)
		require.ErrorIs(t, h.Serve(t.Context()), scheduler.ErrStopped)
	}
}
