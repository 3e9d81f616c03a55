package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			_, isError := r.(runtime.Error)
			fmt.Printf("%s: %v (%v)\n", name, r, isError)
			return
		}
		fmt.Println(name, "ok")
	}()
	f()
}

func named() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n *= 2
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	n = 21
	panic("boom")
}

func order() {
	for i := 0; i < 3; i++ {
		defer func(n int) { fmt.Print(n, i, " ") }(i * 10)
	}
	defer fmt.Print("first ")
}

func helper() any { return recover() }

func throughHelper() {
	defer func() { fmt.Println("outer", recover()) }()
	defer func() { fmt.Println("helper", helper()) }()
	panic("direct only")
}

func nested() {
	defer func() { fmt.Println("outer", recover()) }()
	defer func() {
		defer func() { fmt.Println("inner", recover()) }()
		panic("second")
	}()
	panic("first")
}

func replaced() {
	defer func() { fmt.Println("replaced", recover(), recover()) }()
	defer func() { panic("second") }()
	panic("first")
}

type closer struct{ name string }

func (c closer) close()   { fmt.Print("close ", c.name, " ") }
func (c *closer) pclose() { fmt.Print("pclose ", c.name, " ") }

type shutter interface{ close() }

func methods() {
	c := closer{"a"}
	defer c.close()
	defer c.pclose()
	var s shutter = closer{"i"}
	defer s.close()
	c.name = "b"
	defer delete(map[int]int{}, 1)
}

func again() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	var m map[string]int
	m["x"] = 1
	return nil
}

type custom struct{ code int }

func (c custom) Error() string { return fmt.Sprint("code ", c.code) }

func main() {
	try("fine", func() {})
	try("string", func() { panic("text") })
	try("error", func() { panic(errors.New("an error")) })
	try("value", func() { panic(custom{7}) })
	try("divide", func() { x := 0; fmt.Println(1 / x) })
	try("index", func() { x := []int{1, 2, 3}; i := 5; fmt.Println(x[i]) })
	try("negative", func() { x := []int{1}; i := -1; fmt.Println(x[i]) })
	try("array", func() { var x [4]int; i := 4; x[i] = 1 })
	try("string index", func() { s := "abc"; i := 3; fmt.Println(s[i]) })
	try("slice", func() { x := []int{1, 2, 3}; i := 5; fmt.Println(x[1:i]) })
	try("slice order", func() { x := []int{1, 2, 3}; i, j := 2, 1; fmt.Println(x[i:j]) })
	try("slice3", func() { x := []int{1, 2, 3}; i := 9; fmt.Println(x[0:1:i]) })
	try("substring", func() { s := "abc"; i := 4; fmt.Println(s[i:]) })
	try("nil map", func() { var m map[int]int; m[1] = 2 })
	try("nil pointer", func() { var c *closer; fmt.Println(c.name) })
	try("nil func", func() { var f func(); f() })
	try("nil interface", func() { var s shutter; s.close() })
	try("assert", func() { var x any = 1; fmt.Println(x.(string)) })
	try("assert nil", func() { var x any; fmt.Println(x.(int)) })
	try("assert method", func() { var x any = 1; fmt.Println(x.(shutter)) })
	try("compare", func() { var x, y any = []int{1}, []int{1}; fmt.Println(x == y) })
	try("hash", func() { m := map[any]int{}; m[[]int{1}] = 1 })
	try("make", func() { n := -1; _ = make([]int, n) })
	try("shift", func() { n := -1; fmt.Println(1 << n) })
	try("close nil", func() { var c chan int; close(c) })
	try("close twice", func() { c := make(chan int); close(c); close(c) })
	try("send closed", func() { c := make(chan int, 1); close(c); c <- 1 })
	try("nil panic", func() { panic(nil) })
	fmt.Println(named())
	order()
	fmt.Println()
	throughHelper()
	nested()
	replaced()
	methods()
	fmt.Println(again())
	done := make(chan bool)
	go func() {
		defer close(done)
		defer fmt.Println("goexit runs this", recover())
		runtime.Goexit()
	}()
	<-done
	func() {
		defer func() { recover() }()
		defer func() { panic("lost") }()
		panic("also lost")
	}()
	defer os.Exit(0)
	defer fmt.Println("last")
}
