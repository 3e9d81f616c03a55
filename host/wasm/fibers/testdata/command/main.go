// Command is a WASI command that does what its first argument says.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	switch os.Args[1] {
	case "args":
		fmt.Println(strings.Join(os.Args, "|"))
	case "env":
		fmt.Println(os.Getenv(os.Args[2]))
	case "upper":
		upper()
	case "exit":
		status, _ := strconv.Atoi(os.Args[2])
		os.Exit(status)
	case "panic":
		panic("guest panic")
	case "time":
		tellTime()
	case "goroutines":
		goroutines()
	case "spin":
		fmt.Println("up")
		for i := 0; ; i++ {
		}
	case "cat":
		text, err := os.ReadFile(os.Args[2])
		fmt.Println(string(text), err)
	}
}

func upper() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println(strings.ToUpper(in.Text()))
	}
	fmt.Fprintln(os.Stderr, "end of input")
}

func tellTime() {
	fmt.Println(time.Now().UTC().Format(time.RFC3339))
	before := time.Now()
	time.Sleep(90 * time.Minute)
	fmt.Println(time.Since(before).Round(time.Second))
	fmt.Println(time.Now().UTC().Format(time.RFC3339))
}

// goroutines is Go's own concurrency, inside one instance.
func goroutines() {
	squares := make(chan int)
	go func() {
		defer close(squares)
		for i := range 5 {
			time.Sleep(time.Second)
			squares <- i * i
		}
	}()
	sum := 0
	for n := range squares {
		sum += n
	}
	_, _ = io.WriteString(os.Stdout, fmt.Sprintln("sum", sum))
}
