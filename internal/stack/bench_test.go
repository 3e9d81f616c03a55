package stack_test

import (
	"iter"
	"testing"

	"github.com/selvage-dev/selvage/internal/stack"
)

// BenchmarkSwitch is one Resume and one Suspend, beside the bare mechanism.
func BenchmarkSwitch(b *testing.B) {
	for _, backing := range []stack.Backing{stack.Coroutine, stack.Goroutine} {
		b.Run(backing.String(), func(b *testing.B) {
			s := stack.New(backing, spin)
			defer s.Close()
			s.Resume()
			for b.Loop() {
				s.Resume()
			}
		})
	}
	b.Run("iter.Pull", func(b *testing.B) {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
			}
		})
		defer stop()
		for b.Loop() {
			next()
		}
	})
	b.Run("channels", func(b *testing.B) {
		in, out := make(chan struct{}), make(chan struct{})
		go func() {
			for range in {
				out <- struct{}{}
			}
		}()
		for b.Loop() {
			in <- struct{}{}
			<-out
		}
		close(in)
	})
}

// BenchmarkSpawn is a stack from New to its end, with a call stack as deep as an
// interpreter's, with and without a pool.
func BenchmarkSpawn(b *testing.B) {
	for _, backing := range []stack.Backing{stack.Coroutine, stack.Goroutine} {
		for name, keep := range map[string]int{"pooled": 8, "fresh": 0} {
			b.Run(backing.String()+"/"+name, func(b *testing.B) {
				pool := stack.NewPool(backing, keep)
				defer pool.Close()
				b.ReportAllocs()
				for b.Loop() {
					pool.New(func(*stack.Stack) { deep(16) }).Resume()
				}
			})
		}
	}
}

func spin(s *stack.Stack) {
	for {
		s.Suspend()
	}
}

//go:noinline
func deep(n int) byte {
	var frame [256]byte
	if n == 0 {
		return 0
	}
	frame[n] = deep(n - 1)
	return frame[n]
}
