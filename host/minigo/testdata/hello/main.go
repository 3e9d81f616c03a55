package main

import "fmt"

func main() {
	c := make(chan string)
	go func() {
		for i := 0; i < 3; i++ {
			c <- fmt.Sprintf("hello %d from %s", i, "a fiber")
		}
		close(c)
	}()
	for s := range c {
		fmt.Println(s)
	}
	fmt.Println("done", 1, 2.5, true, []int{1, 2}, map[string]int{"b": 1, "a": 2})
}
