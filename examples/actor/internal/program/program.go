package program

import (
	"fmt"
	"io"
	"os"
)

// The exit statuses besides 0.
const (
	failed  = 1
	misused = 2
)

// Main runs a program, and ends the process.
func Main(name string, run func(io.Writer) error) {
	os.Exit(status(name, os.Args[1:], os.Stdout, os.Stderr, run))
}

func status(name string, args []string, out, err io.Writer, run func(io.Writer) error) int {
	if len(args) > 0 {
		fmt.Fprintf(err, "%s: unexpected argument %q\nUsage: go run ./examples/actor/%s\n", name, args[0], name)
		return misused
	}
	if e := run(out); e != nil {
		fmt.Fprintln(err, e)
		return failed
	}
	return 0
}
