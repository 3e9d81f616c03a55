package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

func generate(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 2; ; i++ {
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func filter(in <-chan int, p int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in {
			if v%p != 0 {
				out <- v
			}
		}
	}()
	return out
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	ch := generate(ctx)
	for range 10 {
		p := <-ch
		fmt.Print(p, " ")
		ch = filter(ch, p)
	}
	cancel()
	fmt.Println()

	var a account
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.deposit(i)
		}()
	}
	wg.Wait()
	fmt.Println(a.balance)

	start := time.Now()
	timeout := time.After(30 * time.Millisecond)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	n := 0
	for range 3 {
		<-tick.C
		n++
	}
	<-timeout
	fmt.Println(n == 3, time.Since(start) >= 30*time.Millisecond)

	var once sync.Once
	var rw sync.RWMutex
	cond := sync.NewCond(&sync.Mutex{})
	ready := false
	var got atomic.Int32
	for range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			once.Do(func() { fmt.Println("once") })
			cond.L.Lock()
			for !ready {
				cond.Wait()
			}
			cond.L.Unlock()
			rw.RLock()
			got.Add(1)
			rw.RUnlock()
		}()
	}
	time.Sleep(time.Millisecond)
	rw.Lock()
	cond.L.Lock()
	ready = true
	cond.Broadcast()
	cond.L.Unlock()
	rw.Unlock()
	wg.Wait()
	fmt.Println(got.Load())

	buffered := make(chan string, 2)
	buffered <- "a"
	buffered <- "b"
	select {
	case buffered <- "c":
		fmt.Println("unexpected")
	default:
		fmt.Println("full", len(buffered), cap(buffered))
	}
	close(buffered)
	for s := range buffered {
		fmt.Print(s, " ")
	}
	v, ok := <-buffered
	fmt.Printf("%q %v\n", v, ok)

	ctx, cancel = context.WithTimeout(context.WithValue(context.Background(), "k", 1), 5*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err(), ctx.Value("k"), context.Cause(ctx))

	type msg struct {
		id    int
		reply chan [2]string
	}
	server := make(chan msg)
	go func() {
		for m := range server {
			m.reply <- [2]string{"re", fmt.Sprint(m.id)}
		}
	}()
	r := make(chan [2]string)
	server <- msg{42, r}
	fmt.Println(<-r)
	timer := time.NewTimer(time.Hour)
	fmt.Println(timer.Stop(), timer.Stop(), timer.Reset(time.Millisecond))
	<-timer.C
}
