package minigo_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
)

// kernels are what the JIT is for: loops of integers and floats, slices, fields and calls.
func kernels() map[string]string {
	return map[string]string{
		"sum": `s := 0
	for i := 0; i < 1_000_000; i++ {
		s += i * i
	}
	println(s)`,
		"collatz": `longest := 0
	for i := 1; i < 20_000; i++ {
		steps := 0
		for x := i; x != 1; steps++ {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
		}
		longest = max(longest, steps)
	}
	println(longest)`,
		"sieve": `composite, count := make([]bool, 500_000), 0
	for i := 2; i < len(composite); i++ {
		if composite[i] {
			continue
		}
		count++
		for j := 2 * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	println(count)`,
		"matrix": `const n = 80
	a, b, c := make([]int, n*n), make([]int, n*n), make([]int, n*n)
	for i := range a {
		a[i], b[i] = i, n-i
	}
	for i := range n {
		for j := range n {
			for k := range n {
				c[i*n+j] += a[i*n+k] * b[k*n+j]
			}
		}
	}
	println(c[n+1])`,
		"mandelbrot": `sum := 0
	for y := range 100 {
		for x := range 100 {
			cr, ci := float64(x)/50-1.5, float64(y)/50-1
			r, i := 0.0, 0.0
			for n := 0; n < 50 && r*r+i*i <= 4; n++ {
				r, i = r*r-i*i+cr, 2*r*i+ci
				sum++
			}
		}
	}
	println(sum)`,
		"fib": `println(fibonacci(22))`,
	}
}

func kernel(body string) string {
	return "package main\n\nfunc fibonacci(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fibonacci(n-1) + fibonacci(n-2)\n}\n\nfunc main() {\n\t" + body + "\n}\n"
}

// BenchmarkKernels runs each kernel interpreted and as machine code.
func BenchmarkKernels(b *testing.B) {
	for name, body := range kernels() {
		program := compiled(b, name, kernel(body))
		for mode, cfg := range map[string]minigo.Config{"interpreter": {JIT: minigo.JITOff}, "jit": {JIT: minigo.JITEager}} {
			b.Run(name+"/"+mode, func(b *testing.B) {
				for b.Loop() {
					host, err := minigo.New(program, cfg)
					require.NoError(b, err)
					require.NoError(b, host.Run(b.Context()))
				}
			})
		}
	}
}

// BenchmarkLeavingCode leaves machine code and comes back, for an operation of the machine;
// beside it, a coroutine of Go's iter is switched to and back.
func BenchmarkLeavingCode(b *testing.B) {
	const times = 1_000_000
	b.Run("exit and re-enter", func(b *testing.B) {
		program := compiled(b, "leave.go", kernel("c, s := make(chan int), 0\n\tfor range 1_000_000 {\n\t\ts += len(c)\n\t}\n\tprintln(s)"))
		for b.Loop() {
			host, err := minigo.New(program, minigo.Config{JIT: minigo.JITEager})
			require.NoError(b, err)
			require.NoError(b, host.Run(b.Context()))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/times, "ns/exit")
	})
	b.Run("iter.Pull", func(b *testing.B) {
		next, stop := iter.Pull(func(yield func(int) bool) {
			for yield(0) {
			}
		})
		defer stop()
		for b.Loop() {
			for range times {
				next()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/times, "ns/switch")
	})
}
