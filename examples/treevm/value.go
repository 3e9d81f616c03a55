package main

import (
	"fmt"
	"strings"
)

// value is an int, a string, a bool, a list, a null, a *function, a builtin, a *channel or a *task.
type value any

type (
	null struct{}
	list []value // never changed
)

// function is a function of a program.
type function struct {
	params []symbol
	body   []form
	env    *scope
}

// builtin is a function of the host; it checks its arguments.
type builtin func(t *task, args []value) (value, error)

// scope has the variables of a call, or the global ones.
type scope struct {
	vars  map[symbol]value
	outer *scope
}

// find is the scope that has a variable; nil if none does.
func (s *scope) find(name symbol) *scope {
	for ; s != nil; s = s.outer {
		if _, ok := s.vars[name]; ok {
			return s
		}
	}
	return nil
}

// show is a value as print prints it.
func show(v value) string { return showWithin(v, 10) }

// showWithin leaves out what is nested more deeply.
func showWithin(v value, depth int) string {
	switch v := v.(type) {
	case int, bool, string:
		return fmt.Sprint(v)
	case list:
		if depth == 0 {
			return "(...)"
		}
		texts := make([]string, len(v))
		for i, e := range v {
			texts[i] = showWithin(e, depth-1)
		}
		return "(" + strings.Join(texts, " ") + ")"
	}
	return kind(v)
}

// kind names the type of a value.
func kind(v value) string {
	switch v.(type) {
	case int:
		return "number"
	case string:
		return "text"
	case bool:
		return "truth"
	case list:
		return "list"
	case *channel:
		return "channel"
	case *task:
		return "fiber"
	case *function, builtin:
		return "function"
	}
	return "nil"
}
