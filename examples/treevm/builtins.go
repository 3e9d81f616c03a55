package main

import (
	"errors"
	"fmt"
	"maps"
)

// newGlobals has the functions of the host, and the arguments of the program.
func newGlobals(args []string) *scope {
	s := &scope{vars: map[symbol]value{
		"+":      numbers(func(a, b int) (value, error) { return a + b, nil }),
		"-":      numbers(func(a, b int) (value, error) { return a - b, nil }),
		"*":      numbers(func(a, b int) (value, error) { return a * b, nil }),
		"<":      numbers(func(a, b int) (value, error) { return a < b, nil }),
		"/":      numbers(divide),
		"=":      numbers(func(a, b int) (value, error) { return a == b, nil }),
		"nth":    two(nth),
		"push":   two(func(_ *task, l list, v value) (value, error) { return append(l[:len(l):len(l)], v), nil }),
		"length": one(func(_ *task, l list) (value, error) { return len(l), nil }),
		"fail":   one(func(_ *task, v value) (value, error) { return nil, errors.New(show(v)) }),
		"list":   builtin(func(_ *task, args []value) (value, error) { return list(args), nil }),
		"print":  builtin(printLine),
		"true":   true,
		"false":  false,
		"nil":    null{},
	}}
	texts := list{}
	for _, arg := range args {
		texts = append(texts, arg)
	}
	s.vars["args"] = texts
	maps.Copy(s.vars, waiting())
	return s
}

// waiting has the functions with which fibers start, end and wait.
func waiting() map[symbol]value {
	return map[symbol]value{
		"yield":  builtin(func(t *task, _ []value) (value, error) { return null{}, t.yield() }),
		"chan":   builtin(func(*task, []value) (value, error) { return new(channel), nil }),
		"spawn":  builtin(spawn),
		"send":   two((*task).send),
		"recv":   one((*task).recv),
		"sleep":  one((*task).sleep),
		"join":   one((*task).join),
		"cancel": one((*task).cancel),
		"http":   one((*task).http),
		"sort":   two((*task).sort),
	}
}

func spawn(t *task, args []value) (value, error) {
	if len(args) == 0 {
		return nil, errors.New("want (spawn function arguments)")
	}
	return t.spawn(args[0], args[1:])
}

func divide(a, b int) (value, error) {
	if b == 0 {
		return nil, errors.New("division by zero")
	}
	return a / b, nil
}

func nth(_ *task, l list, i int) (value, error) {
	if i < 0 || i >= len(l) {
		return nil, fmt.Errorf("the list has %d elements, and none at %d", len(l), i)
	}
	return l[i], nil
}

func printLine(t *task, args []value) (value, error) {
	for i, v := range args {
		if i > 0 {
			_, _ = fmt.Fprint(t.vm.out, " ")
		}
		_, _ = fmt.Fprint(t.vm.out, show(v))
	}
	_, err := fmt.Fprintln(t.vm.out)
	return null{}, err
}

func numbers(f func(a, b int) (value, error)) builtin {
	return two(func(_ *task, a, b int) (value, error) { return f(a, b) })
}

// one and two make builtins of functions with one and two arguments, and check these.
func one[A value](f func(t *task, a A) (value, error)) builtin {
	return func(t *task, args []value) (value, error) {
		a, err := argument[A](args, 0, 1)
		if err != nil {
			return nil, err
		}
		return f(t, a)
	}
}

func two[A, B value](f func(t *task, a A, b B) (value, error)) builtin {
	return func(t *task, args []value) (value, error) {
		a, err := argument[A](args, 0, 2)
		if err != nil {
			return nil, err
		}
		b, err := argument[B](args, 1, 2)
		if err != nil {
			return nil, err
		}
		return f(t, a, b)
	}
}

func argument[V value](args []value, i, want int) (v V, err error) {
	if len(args) != want {
		return v, fmt.Errorf("%d arguments, want %d", len(args), want)
	}
	v, ok := args[i].(V)
	if !ok {
		err = fmt.Errorf("argument %d is a %s, want a %s", i+1, kind(args[i]), kind(v))
	}
	return v, err
}
