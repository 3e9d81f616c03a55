package main

import (
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// filter is a fiber of P18, the chain of the prime sieve: the first counts, each other
// lets pass what its prime does not divide. The last one that was made has nobody
// behind it: what reaches its end is a prime, and becomes a filter of its own.
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

// turn is one slice of the running filter.
func (v *sieve) turn(f *filter) {
	if f.waits != nowhere {
		t, _ := v.s.Claim()
		if f.waits == toReceive {
			f.number, _ = f.in.Collect(t)
			if !v.send(f) {
				return
			}
		}
		f.waits = nowhere
	}
	for v.receive(f) && v.send(f) {
	}
}

// receive gets the next number, or waits for it.
func (v *sieve) receive(f *filter) bool {
	if f.in == nil {
		f.number++
		return true
	}
	n, status, w := f.in.TryRecv()
	if status == wait.Empty {
		f.waits = toReceive
		t, _ := v.s.BlockOn(f.in)
		must(f.in.ParkRecv(t, 0))
		return false
	}
	v.s.Apply(w)
	f.number = n
	return true
}

// send passes the number on unless it is a multiple, or waits until it is taken.
func (v *sieve) send(f *filter) bool {
	if f.in != nil && f.number%f.prime == 0 {
		return true
	}
	if f.out == nil {
		f.out = wait.NewChan[int](0)
		v.prime(f)
		return v.left > 0
	}
	ok, w, err := f.out.TrySend(f.number)
	must(err)
	if !ok {
		f.waits = toSend
		t, _ := v.s.BlockOn(f.out)
		must(f.out.ParkSend(t, f.number, 0))
		return false
	}
	v.s.Apply(w)
	return true
}

// prime makes the filter for the number that came through all others.
func (v *sieve) prime(last *filter) {
	v.found = append(v.found, last.number)
	v.left--
	_, err := v.s.Spawn(filter{in: last.out, prime: last.number})
	must(err)
}

// primes is P18: the sieve runs until it has found n primes.
func primes(n int) time.Duration {
	v := &sieve{s: scheduler.New[filter](scheduler.Config{}), left: n}
	_, err := v.s.Spawn(filter{number: 1})
	must(err)
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
