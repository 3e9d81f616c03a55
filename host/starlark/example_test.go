package starlark_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// made makes a Host that prints, and runs a program on it.
func made(cfg starlark.Config, source string) *starlark.Host {
	cfg.Access.Stdout = os.Stdout
	h, err := starlark.New(cfg)
	if err != nil {
		panic(err)
	}
	if _, err := h.Run(context.Background(), "p.star", []byte(source)); err != nil {
		fmt.Println(err)
	}
	return h
}

func ExampleHost() {
	host, err := starlark.New(starlark.Config{Access: sandbox.Access{Stdout: os.Stdout}})
	if err != nil {
		panic(err)
	}
	defer host.Close()
	globals, err := host.Run(context.Background(), "sum.star", []byte(`
def square(n):
    fiber.sleep(n)
    return n * n
tasks = [fiber.spawn(square, n) for n in range(4)]
total = [t.join() for t in tasks]
print(total, "after", fiber.now(), "seconds")
`))
	fmt.Println(globals["total"], err)
	// Output:
	// [0, 1, 4, 9] after 3.0 seconds
	// [0, 1, 4, 9] <nil>
}

func ExampleNew() {
	_, err := starlark.New(starlark.Config{Access: sandbox.Access{Dial: []string{"nowhere"}}})
	fmt.Println(err != nil)
	// Output: true
}

func ExampleConfig() {
	cfg := starlark.Config{
		Predeclared: gostar.StringDict{"version": gostar.String("1.2")},
		Modules:     map[string]gostar.StringDict{"team": {"members": gostar.MakeInt(7)}},
		Quota:       quota.Limits{Steps: 100_000},
	}
	made(cfg, "load('team', 'members')\nprint(version, members)\nwhile True: pass").Close()
	// Output:
	// 1.2 7
	// scheduler: fiber killed: the quota is used up: steps, limit 100000
}

func ExampleDialect() {
	strict := starlark.Dialect()
	strict.While = false
	made(starlark.Config{Options: strict}, "while True: pass").Close()
	// Output: p.star:1:1: this Starlark dialect does not support while loops
}

func ExampleHost_Run() {
	h := made(starlark.Config{}, "")
	defer h.Close()
	globals, err := h.Run(context.Background(), "args.star", []byte("n = len(fiber.args)"), "one", "two")
	fmt.Println(globals, err)
	_, err = h.Run(context.Background(), "wait.star", []byte("fiber.chan(name='jobs').recv()"))
	fmt.Println(errors.As(err, new(*scheduler.DeadlockError)))
	// Output:
	// {n: 2} <nil>
	// true
}

func ExampleHost_RunFile() {
	h := made(starlark.Config{}, "")
	defer h.Close()
	_, err := h.RunFile(context.Background(), "missing.star")
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output: true
}

const greeting = `
def greet(name, times = 1):
    fiber.sleep(1)
    return {"text": "hello, " + name, "times": times}
`

func ExampleHost_Call() {
	h := made(starlark.Config{}, greeting)
	defer h.Close()
	results, err := h.Call(context.Background(), "greet", "you", 2)
	fmt.Println(results, err)
	_, err = h.Call(context.Background(), "unknown")
	fmt.Println(err)
	// Output:
	// [map[text:hello, you times:2]] <nil>
	// bind: function: the program has no global "unknown"
}

func ExampleHost_CallInto() {
	h := made(starlark.Config{}, greeting)
	defer h.Close()
	var answer struct {
		Text  string
		Times int
	}
	err := h.CallInto(context.Background(), []any{&answer}, "greet", "you")
	fmt.Println(answer.Text, answer.Times, err)
	// Output: hello, you 1 <nil>
}

func ExampleCompile() {
	program, err := starlark.Compile("greet.star", []byte(greeting), starlark.Config{})
	if err != nil {
		panic(err)
	}
	for range 2 {
		h, err := starlark.New(starlark.Config{Program: program})
		if err != nil {
			panic(err)
		}
		results, err := h.Call(context.Background(), "greet", "you")
		fmt.Println(results, err)
		h.Close()
	}
	// Output:
	// [map[text:hello, you times:1]] <nil>
	// [map[text:hello, you times:1]] <nil>
}

func ExampleProgram() {
	_, err := starlark.Compile("p.star", []byte("print(undefined)"), starlark.Config{})
	fmt.Println(err)
	// Output: p.star:1:7: undefined: undefined
}

func ExampleHost_Start() {
	program, _ := starlark.Compile("greet.star", []byte(greeting), starlark.Config{})
	h, _ := starlark.New(starlark.Config{Program: program})
	defer h.Close()
	call, err := h.Start("greet", "you")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- h.Serve(ctx) }()
	answer, err := bind.Result[map[string]any](ctx, call)
	fmt.Println(answer["text"], err)
	stop()
	fmt.Println(<-served)
	// Output:
	// hello, you <nil>
	// context canceled
}

func ExampleHost_Serve() {
	h, _ := starlark.New(starlark.Config{})
	defer h.Close()
	ctx, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	fmt.Println(h.Serve(ctx))
	// Output: context deadline exceeded
}

func ExampleHost_Bind() {
	h, _ := starlark.New(starlark.Config{Access: sandbox.Access{Stdout: os.Stdout}})
	defer h.Close()
	double := bind.Must(bind.New(func(n int) (int, error) {
		if n < 0 {
			return 0, errors.New("negative")
		}
		return 2 * n, nil
	}))
	if err := h.Bind("numbers.double", double); err != nil {
		panic(err)
	}
	_, err := h.Run(context.Background(), "p.star", []byte("print(numbers.double(21))\nnumbers.double(-1)"))
	fmt.Println(err)
	// Output:
	// 42
	// p.star:2:15: negative
}

func ExampleLimited() {
	h := made(starlark.Config{Quota: quota.Limits{Steps: 1e6}}, "def loop():\n while True: pass\ndef one(): return 1")
	defer h.Close()
	_, err := h.Call(context.Background(), starlark.Limited{Func: "loop", Quota: quota.Limits{Steps: 1000}})
	fmt.Println(err)
	results, err := h.Call(context.Background(), "one")
	fmt.Println(results, err)
	// Output:
	// scheduler: fiber killed: the quota of loop is used up: steps, limit 1000
	// [1] <nil>
}

func ExampleGuestError() {
	h := made(starlark.Config{}, "")
	defer h.Close()
	_, err := h.Run(context.Background(), "p.star", []byte("def f(): return 1 // 0\nf()"))
	var guest *starlark.GuestError
	if errors.As(err, &guest) {
		fmt.Println(guest.Traceback)
	}
	fmt.Println(err)
	// Output:
	// Traceback (most recent call last):
	//   p.star:2:2: in <toplevel>
	//   p.star:1:19: in f
	// Error: floored division by zero
	// p.star:1:19: floored division by zero
}

func ExampleGuestError_Unwrap() {
	h := made(starlark.Config{}, "")
	defer h.Close()
	_, err := h.Run(context.Background(), "p.star", []byte("fail('no')"))
	fmt.Println(errors.As(err, new(*gostar.EvalError)))
	// Output: true
}

func ExampleGuestError_Error() {
	made(starlark.Config{}, "x = [1][2]").Close()
	// Output: p.star:1:8: list index 2 out of range [-1:0]
}

func ExampleLimitError() {
	made(starlark.Config{MaxDepth: 100}, "def f(n): return f(n + 1) + 1\nf(0)").Close()
	// Output: p.star:1:20: calls are nested too deeply: 205; the limit is 100 (Config.MaxDepth)
}

func ExampleLimitError_Error() {
	fmt.Println(&starlark.LimitError{Reason: "calls are nested too deeply"})
	// Output: calls are nested too deeply
}

func ExampleLoadCycleError() {
	err := error(&starlark.LoadCycleError{Loads: []string{"a.star:1:1 loads b.star", "b.star:3:1 loads a.star"}})
	fmt.Println(err)
	// Output: load cycle: a.star:1:1 loads b.star; b.star:3:1 loads a.star
}

func ExampleLoadCycleError_Error() {
	cfg := files(map[string]string{"a.star": "load('p.star', 'x')"})
	made(cfg, "load('a.star', 'x')").Close()
	// Output: a.star:1:1: cannot load p.star: load cycle: p.star:1:1 loads a.star; a.star:1:1 loads p.star
}

func ExampleFiberOf() {
	rest := gostar.NewBuiltin("rest", func(thread *gostar.Thread, _ *gostar.Builtin, _ gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		return gostar.None, starlark.FiberOf(thread).Sleep(time.Hour)
	})
	made(starlark.Config{Predeclared: gostar.StringDict{"rest": rest}}, "rest()\nprint(fiber.now())").Close()
	// Output: 3600.0
}

func ExampleHost_Stack() {
	var h *starlark.Host
	show := gostar.NewBuiltin("show", func(thread *gostar.Thread, _ *gostar.Builtin, _ gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		id, _ := starlark.FiberOf(thread).ID().Regular()
		for _, f := range h.Stack(id, true) {
			fmt.Println(f.Function, f.File, f.Line, f.Locals)
		}
		return gostar.None, nil
	})
	h, _ = starlark.New(starlark.Config{Predeclared: gostar.StringDict{"show": show}})
	defer h.Close()
	_, err := h.Run(context.Background(), "p.star", []byte("def f(n):\n    show()\nf('x')"))
	fmt.Println(err)
	// Output:
	// show  0 []
	// f p.star 2 [{n "x"}]
	// <toplevel> p.star 3 []
	// <nil>
}

func ExampleHost_Spent() {
	h := made(starlark.Config{}, "for i in range(10): pass")
	defer h.Close()
	fmt.Println(h.Spent().Steps)
	// Output: 68
}

func ExampleHost_Runtime() {
	h := made(starlark.Config{}, "fiber.sleep(3)")
	defer h.Close()
	fmt.Println(h.Runtime().Scheduler().Now() == fiber.Time(3*time.Second))
	// Output: true
}

func ExampleHost_Close() {
	h := made(starlark.Config{}, "")
	h.Close()
	h.Close()
	_, err := h.Start("f")
	fmt.Println(err != nil)
	// Output: true
}

func ExampleHost_Group() {
	h := made(starlark.Config{}, "")
	defer h.Close()
	h.Group().SetRate(1e6) // steps a second
	fmt.Println(h.Group().Paused())
	// Output: false
}

func ExampleHost_Pause() {
	h := made(starlark.Config{}, greeting)
	defer h.Close()
	fmt.Println(h.Pause(context.Background()), h.Group().Paused())
	// Output: <nil> true
}

func ExampleHost_Resume() {
	h := made(starlark.Config{}, greeting)
	defer h.Close()
	_ = h.Pause(context.Background())
	fmt.Println(h.Resume(context.Background()), h.Group().Paused())
	// Output: <nil> false
}

func ExampleHost_Shutdown() {
	h := made(starlark.Config{}, greeting)
	defer h.Close()
	fmt.Println(h.Shutdown(context.Background()))
	_, err := h.Call(context.Background(), "greet", "you")
	fmt.Println(errors.Is(err, scheduler.ErrStopped))
	// Output:
	// <nil>
	// true
}
