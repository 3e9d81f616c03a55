// Tree is a WASI command that carries out operations on files, one for each argument, and prints
// what each returns.
package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

func main() {
	if os.Args[1] == "again" { // the file is read as often as there are bytes in the second argument
		again(os.Args[3], len(os.Args[2]))
		return
	}
	for _, op := range os.Args[1:] {
		words := strings.Fields(op)
		got, err := do(words[0], words[1], append(words, "")[2])
		if err != nil {
			got = "error: " + err.Error()
		}
		fmt.Println(op, "=", got)
	}
}

// again prints each different content of a file, and counts what it has read.
func again(path string, times int) {
	seen := map[string]bool{}
	for range times {
		text, err := os.ReadFile(path)
		if err == nil && !seen[string(text)] {
			seen[string(text)] = true
			fmt.Println("read", string(text))
		}
	}
	fmt.Println("done", times)
}

func do(op, path, arg string) (string, error) {
	switch op {
	case "read":
		text, err := os.ReadFile(path)
		return string(text), err
	case "write":
		return "", os.WriteFile(path, []byte(arg), 0o600)
	case "create":
		return "", open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, arg)
	case "append":
		return "", open(path, os.O_WRONLY|os.O_APPEND, arg)
	case "truncate":
		return "", os.Truncate(path, 1)
	case "mkdir":
		return "", os.Mkdir(path, 0o700)
	case "rm":
		return "", os.Remove(path)
	case "rmall":
		return "", os.RemoveAll(path)
	case "mv":
		return "", syscall.Rename(path, arg) // package os has checks of its own
	case "rmdir":
		return "", syscall.Rmdir(path)
	case "unlink":
		return "", syscall.Unlink(path)
	case "link":
		return "", os.Link(path, arg)
	case "symlink":
		return "", os.Symlink(path, arg)
	case "readlink":
		return os.Readlink(path)
	case "stat":
		return describe(os.Stat(path))
	case "lstat":
		return describe(os.Lstat(path))
	case "touch":
		return "", os.Chtimes(path, time.Unix(1, 0), time.Unix(2, 500))
	case "ls":
		return list(path)
	}
	panic("no operation " + op)
}

func open(path string, flag int, text string) error {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Close()
}

func describe(info os.FileInfo, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Mode().Type(), " ", info.Size()), nil
}

func list(path string) (string, error) {
	entries, err := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Type().String()+e.Name())
	}
	return strings.Join(names, " "), err
}
