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
	case "files":
		files(os.Args[2])
	}
}

// files does what can be done with files, below a directory.
func files(dir string) {
	check := func(err error) {
		if err != nil {
			fmt.Println(err)
		}
	}
	check(os.Mkdir(dir+"/sub", 0o755))
	check(os.WriteFile(dir+"/sub/a", []byte("0123456789"), 0o644))
	check(os.Rename(dir+"/sub/a", dir+"/sub/b"))
	check(os.Symlink("b", dir+"/sub/link"))
	target, err := os.Readlink(dir + "/sub/link")
	check(err)
	f, err := os.OpenFile(dir+"/sub/b", os.O_RDWR, 0)
	check(err)
	check(f.Truncate(8))
	_, err = f.WriteAt([]byte("XY"), 2)
	check(err)
	at := make([]byte, 3)
	_, err = f.ReadAt(at, 1)
	check(err)
	_, err = f.Seek(-2, io.SeekEnd)
	check(err)
	rest, err := io.ReadAll(f)
	check(err)
	check(f.Sync())
	check(os.Chtimes(dir+"/sub/b", time.Unix(1, 0), time.Unix(2, 0)))
	info, err := f.Stat()
	check(err)
	check(f.Close())
	fmt.Println(target, string(at), string(rest), info.Size(), info.ModTime().Unix())
	entries, err := os.ReadDir(dir + "/sub")
	check(err)
	for _, e := range entries {
		fmt.Println(e.Name(), e.Type())
		check(os.Remove(dir + "/sub/" + e.Name()))
	}
	check(os.Remove(dir + "/sub"))
	_, err = os.Stat(dir + "/sub")
	fmt.Println(err)
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
