package stackful

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/wait"
)

// Each benchmark runs the same work with goroutines on one thread, in the same run, and
// reports how many times faster the fibers are.

func BenchmarkPingPong(b *testing.B)     { beside(b, pingPong, pingPongOfGoroutines) }
func BenchmarkMutexHandOff(b *testing.B) { beside(b, handOff, handOffOfGoroutines) }
func BenchmarkYield(b *testing.B)        { beside(b, yields, yieldsOfGoroutines) }

func beside(b *testing.B, fibers func(rt *Runtime, n int), goroutines func(n int)) {
	for _, backing := range []Backing{Coroutine, Goroutine} {
		b.Run(backing.String(), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			rt := New(Config{Backing: backing})
			defer rt.Close()
			b.ResetTimer()
			fibers(rt, b.N)
			if err := rt.Run(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			began := time.Now()
			goroutines(b.N)
			b.ReportMetric(float64(time.Since(began))/float64(b.Elapsed()), "x-goroutines")
		})
	}
}

// repeat spawns a fiber that makes a call n times.
func repeat(rt *Runtime, n int, do func(f *Fiber) error) {
	_, err := rt.Go("", func(f *Fiber) (any, error) {
		for range n {
			if err := do(f); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err != nil {
		panic(err)
	}
}

func pingPong(rt *Runtime, n int) {
	ping, pong := wait.NewChan[int](0), wait.NewChan[int](0)
	turn := func(out, in *wait.Chan[int]) func(f *Fiber) error {
		return func(f *Fiber) error {
			if err := Send(f, out, 1); err != nil {
				return err
			}
			_, _, err := Recv(f, in)
			return err
		}
	}
	repeat(rt, n, turn(ping, pong))
	repeat(rt, n, func(f *Fiber) error {
		v, _, err := Recv(f, ping)
		if err != nil {
			return err
		}
		return Send(f, pong, v)
	})
}

func pingPongOfGoroutines(n int) {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for range n {
			pong <- <-ping
		}
	}()
	for range n {
		ping <- 1
		<-pong
	}
}

func handOff(rt *Runtime, n int) {
	m := wait.NewMutex(wait.Poison)
	for range 4 {
		repeat(rt, (n+3)/4, func(f *Fiber) error {
			if err := f.Lock(m); err != nil {
				return err
			}
			if err := f.Yield(); err != nil {
				return err
			}
			return f.Unlock(m)
		})
	}
}

func handOffOfGoroutines(n int) {
	var m sync.Mutex
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range (n + 3) / 4 {
				m.Lock()
				runtime.Gosched()
				m.Unlock()
			}
		})
	}
	all.Wait()
}

func yields(rt *Runtime, n int) {
	for range 4 {
		repeat(rt, (n+3)/4, (*Fiber).Yield)
	}
}

func yieldsOfGoroutines(n int) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range (n + 3) / 4 {
				runtime.Gosched()
			}
		})
	}
	all.Wait()
}
