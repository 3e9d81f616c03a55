package main

import "sync"

func wait(c chan int, done func()) {
	defer done()
	<-c
}

func main() {
	var wg sync.WaitGroup
	c := make(chan int)
	for range 2 {
		wg.Add(1)
		go wait(c, wg.Done)
	}
	var mu sync.Mutex
	mu.Lock()
	go func() {
		select {
		case c <- 1:
			mu.Lock()
		}
	}()
	wg.Wait()
}
