//go:build ignore

// A tree of goroutines, ten children each, adds up the numbers at its leaves.
package main

import "fmt"

func skynet(sum chan<- int, number, size int) {
	if size == 1 {
		sum <- number
		return
	}
	parts := make(chan int)
	size /= 10
	for i := range 10 {
		go skynet(parts, number+i*size, size)
	}
	total := 0
	for range 10 {
		total += <-parts
	}
	sum <- total
}

func main() {
	sum := make(chan int)
	go skynet(sum, 0, 10_000)
	fmt.Println(<-sum)
}
