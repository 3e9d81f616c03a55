//go:build ignore

// Stages connected by channels: numbers, their squares, those that are odd, their sum.
package main

import "fmt"

func source(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i
		}
	}()
	return out
}

func stage(in <-chan int, f func(int) (int, bool)) <-chan int {
	out := make(chan int, 4)
	go func() {
		defer close(out)
		for v := range in {
			if w, keep := f(v); keep {
				out <- w
			}
		}
	}()
	return out
}

func main() {
	squares := stage(source(100), func(v int) (int, bool) { return v * v, true })
	odd := stage(squares, func(v int) (int, bool) { return v, v%2 == 1 })
	sum := 0
	for v := range odd {
		sum += v
	}
	fmt.Println(sum)
}
