//go:build ignore

// Two goroutines send a ball to and fro.
package main

import "fmt"

func main() {
	const rounds = 10_000
	ping, pong := make(chan int), make(chan int)
	go func() {
		for ball := range ping {
			pong <- ball + 1
		}
		close(pong)
	}()
	ball := 0
	for range rounds {
		ping <- ball
		ball = <-pong
	}
	close(ping)
	<-pong
	fmt.Println("the ball was hit", ball, "times")
}
