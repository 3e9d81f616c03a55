//go:build ignore

// A token goes round a ring of 503 goroutines: which one holds it at the end?
package main

import "fmt"

func station(number int, in <-chan int, out chan<- int, winner chan<- int) {
	for token := range in {
		if token == 0 {
			winner <- number
			return
		}
		out <- token - 1
	}
}

func main() {
	const size, hops = 503, 20_000
	winner := make(chan int)
	first := make(chan int, 1)
	in := first
	for i := 1; i < size; i++ {
		out := make(chan int)
		go station(i, in, out, winner)
		in = out
	}
	go station(size, in, first, winner)
	first <- hops
	fmt.Println("station", <-winner)
}
