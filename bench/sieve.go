package main

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// filter is a fiber of P18, the chain of the prime sieve: the first counts, each other one
// forwards the numbers that its prime does not divide. A number that passes the last filter
// is a prime and becomes a new filter.
type filter struct {
	in, out *wait.Chan[int] // in is nil for the one that counts
	prime   int
	number  int
	waits   waits
}

// sieve finds primes until it has enough.
type sieve struct {
	s     *scheduler.Scheduler[filter]
	left  int // primes to be found
	found []int
}

// turn is one slice of the running filter: it ends when the filter has to wait. Like match.turn
// it jumps from instruction to instruction, as an interpreter's loop does.
func (v *sieve) turn(f *filter) {
	s := v.s
	switch f.waits {
	case toReceive:
		t, _ := s.Claim()
		f.number, _ = f.in.Collect(t)
		goto sift
	case toSend:
		s.Claim()
	case nowhere:
	}
receive:
	if f.in == nil {
		f.number++
		goto pass
	}
	if n, status, w := f.in.TryRecv(); status == wait.Received {
		f.number = n
		s.Apply(w)
	} else {
		f.waits = toReceive
		t, _ := s.BlockOn(f.in.Source())
		must(f.in.ParkRecv(t, 0))
		return
	}
sift:
	if f.number%f.prime == 0 {
		goto receive
	}
pass:
	if f.out == nil {
		f.out = wait.NewChan[int](0)
		if v.prime(f); v.left == 0 {
			return
		}
		goto receive
	}
	if ok, w, err := f.out.TrySend(f.number); ok {
		s.Apply(w)
		goto receive
	} else {
		must(err)
		f.waits = toSend
		t, _ := s.BlockOn(f.out.Source())
		must(f.out.ParkSend(t, f.number, 0))
	}
}

func (v *sieve) prime(last *filter) {
	v.found = append(v.found, last.number)
	v.left--
	mustGet(v.s.Spawn(filter{in: last.out, prime: last.number}))
}

// primes is P18: the sieve runs until it has found n primes.
func primes(n int) time.Duration {
	v := &sieve{s: scheduler.New[filter](scheduler.Config{}), left: n}
	mustGet(v.s.Spawn(filter{number: 1}))
	start := time.Now()
	for v.left > 0 {
		if f := v.s.ScheduleNext(); f != nil {
			v.turn(&f.Data)
		} else {
			v.s.Poll()
		}
	}
	took := time.Since(start)
	mustBePrimes(v.found)
	return took
}

// goPrimes is its peer, the sieve of the Go distribution's tests, made to end.
func goPrimes(n int) time.Duration {
	start := time.Now()
	enough := make(chan struct{})
	ch := count(enough)
	found := make([]int, n)
	for i := range found {
		found[i] = <-ch
		ch = sift(ch, found[i])
	}
	took := time.Since(start)
	close(enough)
	for range ch { // until every goroutine has returned
	}
	mustBePrimes(found)
	return took
}

func count(enough <-chan struct{}) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 2; ; i++ {
			select {
			case out <- i:
			case <-enough:
				return
			}
		}
	}()
	return out
}

func sift(in <-chan int, prime int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := range in {
			if n%prime != 0 {
				out <- n
			}
		}
	}()
	return out
}

func mustBePrimes(found []int) {
	for i, p := range found {
		for _, q := range found[:i] {
			if q*q > p {
				break
			}
			if p%q == 0 {
				panic("bench: the sieve let a multiple pass")
			}
		}
	}
}
