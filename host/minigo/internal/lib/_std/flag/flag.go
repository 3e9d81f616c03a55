// Package flag is what minigo has of Go's: flags of a program's command line.
package flag

import (
	"fmt"
	"os"
	"strconv"
)

type option struct {
	name string
	set  func(string) error
	bool bool
}

var (
	options []option
	rest    []string
)

func Int(name string, value int, usage string) *int {
	p := new(int)
	IntVar(p, name, value, usage)
	return p
}

func IntVar(p *int, name string, value int, usage string) {
	*p = value
	options = append(options, option{name, func(s string) (err error) { *p, err = strconv.Atoi(s); return err }, false})
}

func String(name string, value string, usage string) *string {
	p := new(string)
	*p = value
	options = append(options, option{name, func(s string) error { *p = s; return nil }, false})
	return p
}

func Bool(name string, value bool, usage string) *bool {
	p := new(bool)
	*p = value
	options = append(options, option{name, func(s string) (err error) { *p, err = strconv.ParseBool(s); return err }, true})
	return p
}

func Args() []string { return rest }
func NArg() int      { return len(rest) }

func Arg(i int) string {
	if i < 0 || i >= len(rest) {
		return ""
	}
	return rest[i]
}

func fail(text string) {
	println(text)
	os.Exit(2)
}

func Parse() {
	rest = os.Args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		arg := rest[0][1:]
		rest = rest[1:]
		if arg == "-" {
			return
		}
		if arg[0] == '-' {
			arg = arg[1:]
		}
		parse(arg)
	}
}

func parse(arg string) {
	name, value, given := arg, "", false
	for i := range len(arg) {
		if arg[i] == '=' {
			name, value, given = arg[:i], arg[i+1:], true
			break
		}
	}
	for _, o := range options {
		if o.name != name {
			continue
		}
		switch {
		case given:
		case o.bool:
			value = "true"
		case len(rest) == 0:
			fail("flag needs an argument: -" + name)
		default:
			value, rest = rest[0], rest[1:]
		}
		if err := o.set(value); err != nil {
			fail(fmt.Sprintf("invalid value %q for flag -%s: %v", value, name, err))
		}
		return
	}
	fail("flag provided but not defined: -" + name)
}
