package main

import "fmt"

type bad struct{ n int }

func (b bad) Error() string { return fmt.Sprint("bad ", b.n) }

func fail(n int) {
	defer func() {
		r := recover()
		panic(fmt.Sprint("again: ", r))
	}()
	panic(bad{n})
}

func main() {
	fmt.Println("before")
	fail(3)
}
