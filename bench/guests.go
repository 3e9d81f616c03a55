package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/tetratelabs/wazero"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/bench/workload"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/asm"
)

// kernel runs a program n times, and returns its result and the time it took after loading.
type kernel func(rounds int) (result float64, took time.Duration)

// workNatively runs the program compiled by the Go compiler.
func workNatively(name string) kernel {
	run := map[string]func(int) float64{
		"Fib": workload.Fib, "NBody": workload.NBody, "Spectral": workload.Spectral, "Mandelbrot": workload.Mandelbrot,
		"PingPong": workload.PingPong, "Ring": workload.Ring, "Sieve": workload.Sieve, "Skynet": workload.Skynet,
		"Collatz": workload.Collatz, "Eratosthenes": workload.Eratosthenes, "Leave": workload.Leave,
	}[name]
	return func(rounds int) (float64, time.Duration) {
		start := time.Now()
		result := run(rounds)
		return result, time.Since(start)
	}
}

// workOnMinigo compiles the files of package workload with minigo, as package main.
func workOnMinigo(name string, cfg minigo.Config) kernel {
	load := sync.OnceValue(func() *minigo.Program {
		p := mustGet(minigo.Compile(workloadFiles(name)...))
		return p
	})
	return func(rounds int) (float64, time.Duration) {
		var out bytes.Buffer
		cfg.Access.Stdout, cfg.Args = &out, []string{name, strconv.Itoa(rounds)}
		h := mustGet(minigo.New(load(), cfg))
		start := time.Now()
		must(h.Run(context.Background()))
		took := time.Since(start)
		result := mustGet(strconv.ParseFloat(strings.TrimSpace(out.String()), 64))
		return result, took
	}
}

// workloadFiles are those files, and a main that prints the result of one function.
func workloadFiles(name string) []minigo.File {
	const begin = "package workload\n"
	files := []minigo.File{{Name: "main.go", Text: fmt.Appendf(nil, `package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	fmt.Println(%s(rounds))
}
`, name)}}
	sources := mustGet(fs.Glob(workload.Sources, "*.go"))
	for _, source := range sources {
		text := mustGet(workload.Sources.ReadFile(source))
		if rest, ok := bytes.CutPrefix(text, []byte(begin)); ok { // doc.go begins with a comment
			files = append(files, minigo.File{Name: source, Text: append([]byte("package main\n"), rest...)})
		}
	}
	return files
}

// workOnGopherLua runs lua/workload.lua.
func workOnGopherLua(name string) kernel {
	return func(rounds int) (float64, time.Duration) {
		L := glua.NewState()
		defer L.Close()
		fn := mustGet(L.Load(strings.NewReader(source("workload")), "workload"))
		L.Push(fn)
		L.Push(glua.LString(name))
		L.Push(glua.LNumber(rounds))
		start := time.Now()
		L.Call(2, 1)
		took := time.Since(start)
		return float64(L.CheckNumber(-1)), took
	}
}

//go:embed js/workload.js
var scriptWorkload string

// workOnGoja runs js/workload.js.
func workOnGoja(name string) kernel {
	return func(rounds int) (float64, time.Duration) {
		vm := goja.New()
		mustGet(vm.RunString(scriptWorkload))
		var run func(int) float64
		must(vm.ExportTo(vm.Get(name), &run))
		start := time.Now()
		result := run(rounds)
		return result, time.Since(start)
	}
}

//go:embed workload.wat
var wasmWorkload string

// workOnWazero runs workload.wat, compiled to machine code.
func workOnWazero(name string) kernel {
	return func(rounds int) (float64, time.Duration) {
		ctx := context.Background()
		engine := wazero.NewRuntime(ctx)
		defer engine.Close(ctx)
		m := mustGet(engine.Instantiate(ctx, asm.Assemble(wasmWorkload)))
		run := m.ExportedFunction(name)
		start := time.Now()
		results, err := run.Call(ctx, uint64(rounds))
		took := time.Since(start)
		must(err)
		return math.Float64frombits(results[0]), took
	}
}
