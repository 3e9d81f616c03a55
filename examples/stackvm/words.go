package main

import (
	"errors"
	"fmt"
)

// value is a number, a text, a word, a channel or a task.
type value any

// primitive is a word that is Go code, or an instruction.
type primitive func(c *code) error

// one makes a primitive that takes an argument of this type off the stack.
func one[A value](do func(*code, A) error) primitive {
	return func(c *code) error {
		args, err := c.pop(1)
		if err != nil {
			return err
		}
		a, err := as[A](args[0])
		if err != nil {
			return err
		}
		return do(c, a)
	}
}

// two is one with two arguments; the second is on top.
func two[A, B value](do func(*code, A, B) error) primitive {
	return one(func(c *code, b B) error {
		return one(func(c *code, a A) error { return do(c, a, b) })(c)
	})
}

// pure makes a primitive that computes a value of two others.
func pure[A, R value](do func(a, b A) R) primitive {
	return two(func(c *code, a, b A) error { return c.push(do(a, b)) })
}

func as[A value](v value) (A, error) {
	a, ok := v.(A)
	if !ok {
		return a, fmt.Errorf("want %s, and have %s", kind(a), text(v))
	}
	return a, nil
}

func number(v value) (int, error) { return as[int](v) }

func kind(v value) string {
	switch v.(type) {
	case int:
		return "a number"
	case string:
		return "a text"
	case *word:
		return "a word"
	case task:
		return "a task"
	}
	return "a channel"
}

// text is a value as the program prints it.
func text(v value) string {
	switch v := v.(type) {
	case int, string:
		return fmt.Sprint(v)
	case *word:
		return "' " + v.name
	}
	return kind(v)
}

// truth is the number of a truth value.
func truth(b bool) int {
	if b {
		return -1
	}
	return 0
}

var errZero = errors.New("division by zero")

// primitives are the words of the language, with what each takes off the stack and leaves on it.
func primitives() map[string]primitive {
	return map[string]primitive{
		// ( a b -- n )
		"+": pure(func(a, b int) int { return a + b }),
		"-": pure(func(a, b int) int { return a - b }),
		"*": pure(func(a, b int) int { return a * b }),
		"<": pure(func(a, b int) int { return truth(a < b) }),
		"=": pure(func(a, b value) int { return truth(a == b) }),
		"/": two(func(c *code, a, b int) error {
			if b == 0 {
				return errZero
			}
			return c.push(a / b)
		}),
		"&":    two((*code).concatenate), // ( a b -- text )
		"dup":  one(func(c *code, a value) error { return c.push(a, a) }),
		"drop": one(func(*code, value) error { return nil }),
		"swap": two(func(c *code, a, b value) error { return c.push(b, a) }),
		"over": two(func(c *code, a, b value) error { return c.push(a, b, a) }),
		".":    one((*code).print),
		"arg":  one((*code).arg),   // ( n -- text ) an argument of the command line
		"call": one((*code).enter), // ( xt -- )

		"yield":  (*code).yield,
		"now":    (*code).now,          // ( -- ms )
		"sleep":  one((*code).sleep),   // ( ms -- )
		"spawn":  two((*code).spawn),   // ( x xt -- task ) a fiber that executes xt with x on its stack
		"join":   one((*code).join),    // ( task -- x true | reason false )
		"cancel": one((*code).cancel),  // ( task -- )
		"chan":   one((*code).channel), // ( capacity -- ch )
		"send":   two((*code).send),    // ( x ch -- )
		"recv":   one((*code).recv),    // ( ch -- x )
		"get":    one((*code).get),     // ( url -- body )
		"sort":   two((*code).sort),    // ( x1 .. xn n xt -- sorted ) xt ( a b -- n ) is negative if a is first
	}
}

func (c *code) print(v value) error {
	_, err := fmt.Fprintln(c.vm.out, text(v))
	return err
}

func (c *code) concatenate(a, b value) error {
	joined := text(a) + text(b)
	if len(joined) > maxData {
		return errors.New("the text is too long")
	}
	return c.push(joined)
}

func (c *code) arg(n int) error {
	if n < 0 || n >= len(c.vm.args) {
		return fmt.Errorf("want argument %d, and the command line has %d", n, len(c.vm.args))
	}
	return c.push(c.vm.args[n])
}
