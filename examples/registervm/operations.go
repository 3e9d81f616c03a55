package main

import (
	"errors"
	"fmt"
	"slices"
)

// value is an int, a bool, a string, a list, a *function, a label, a *channel, a *task, or nil.
type value = any

type list []value // never changed

// String leaves out the elements of lists in lists.
func (l list) String() string {
	elements := slices.Clone([]value(l))
	for i, e := range elements {
		if _, is := e.(list); is {
			elements[i] = "list"
		}
	}
	return fmt.Sprint(elements)
}

// operation does an instruction and returns its result. If it begins a wait or native code
// (execution.finish, execution.native), machine code is left behind the instruction.
type operation func(c *execution, args []value) (value, error)

func operations() map[string]operation {
	return map[string]operation{
		"move":   one(func(_ *execution, v value) (value, error) { return v, nil }),
		"add":    two(func(_ *execution, a, b int) (value, error) { return a + b, nil }),
		"sub":    two(func(_ *execution, a, b int) (value, error) { return a - b, nil }),
		"less":   two(func(_ *execution, a, b int) (value, error) { return a < b, nil }),
		"div":    two(divide),
		"if":     two((*execution).branch),
		"jump":   one(func(c *execution, to label) (value, error) { return c.branch(true, to) }),
		"ret":    one(func(c *execution, v value) (value, error) { c.result, c.pc = v, len(c.fn.code); return nil, nil }),
		"list":   func(_ *execution, args []value) (value, error) { return list(args), nil },
		"at":     two(at),
		"print":  func(c *execution, args []value) (value, error) { return fmt.Fprintln(c.vm.out, args...) },
		"yield":  func(c *execution, _ []value) (value, error) { c.vm.left = 0; return nil, nil },
		"spawn":  spawn,
		"chan":   func(*execution, []value) (value, error) { return new(channel), nil },
		"send":   two((*execution).send),
		"recv":   one((*execution).recv),
		"sleep":  one((*execution).sleep),
		"join":   one((*execution).join),
		"cancel": one((*execution).cancel),
		"http":   one((*execution).http),
		"sort":   two((*execution).sort),
	}
}

func divide(_ *execution, a, b int) (value, error) {
	if b == 0 {
		return nil, errors.New("division by zero")
	}
	return a / b, nil
}

func at(_ *execution, l list, i int) (value, error) {
	if i < 0 || i >= len(l) {
		return nil, fmt.Errorf("the list has %d elements, and none at %d", len(l), i)
	}
	return l[i], nil
}

func (c *execution) branch(condition bool, to label) (value, error) {
	if to.in != c.fn {
		return nil, fmt.Errorf("the label is in %s", to.in.name)
	}
	if condition {
		c.pc = to.pc
	}
	return nil, nil
}

func spawn(c *execution, args []value) (value, error) {
	if len(args) == 0 {
		return nil, errors.New("want a function and its arguments")
	}
	fn, err := argument[*function](args, 0, len(args))
	if err != nil {
		return nil, err
	}
	return c.vm.spawn(false, fn, args[1:])
}

// one and two make operations of functions with one and two operands.
func one[A value](do func(c *execution, a A) (value, error)) operation {
	return func(c *execution, args []value) (value, error) {
		a, err := argument[A](args, 0, 1)
		if err != nil {
			return nil, err
		}
		return do(c, a)
	}
}

func two[A, B value](do func(c *execution, a A, b B) (value, error)) operation {
	return func(c *execution, args []value) (value, error) {
		a, err := argument[A](args, 0, 2)
		if err != nil {
			return nil, err
		}
		b, err := argument[B](args, 1, 2)
		if err != nil {
			return nil, err
		}
		return do(c, a, b)
	}
}

func argument[V value](args []value, i, want int) (v V, err error) {
	if len(args) != want {
		return v, fmt.Errorf("%d operands, want %d", len(args), want)
	}
	v, ok := args[i].(V)
	if _, isAny := any(&v).(*any); !ok && !isAny { // nil is no error there
		err = fmt.Errorf("operand %d is %v, want %T", i+1, args[i], v)
	}
	return v, err
}
