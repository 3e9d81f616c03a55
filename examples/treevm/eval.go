package main

import (
	"errors"
	"fmt"
)

// maxDepth bounds the calls that a fiber is in, and so its Go stack.
const maxDepth = 10_000

// failure is an error of the program, at a line of it.
type failure struct {
	line int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

// at is an error with the line, unless it has one. The end of a fiber is no error of the program.
func at(line int, err error) error {
	if f := new(failure); err == nil || errors.Is(err, errStopped) || errors.As(err, &f) {
		return err
	}
	return &failure{line, err}
}

// all evaluates forms and gives the value of the last.
func (t *task) all(forms []form, env *scope) (v value, err error) {
	v = null{}
	for _, f := range forms {
		if v, err = t.eval(f, env); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// eval evaluates a form. It calls itself: its state is on the Go stack.
func (t *task) eval(f form, env *scope) (value, error) {
	switch v := f.value.(type) {
	case symbol:
		if s := env.find(v); s != nil {
			return s.vars[v], nil
		}
		return nil, at(f.line, fmt.Errorf("undefined: %s", v))
	case []form:
		result, err := t.evalList(f.line, v, env)
		return result, at(f.line, err)
	}
	return f.value, nil
}

func (t *task) evalList(line int, forms []form, env *scope) (value, error) {
	if len(forms) == 0 {
		return null{}, nil
	}
	if err := t.step(); err != nil {
		return nil, err
	}
	if name, ok := forms[0].value.(symbol); ok {
		if s := special(name); s != nil {
			return s(t, forms[1:], env)
		}
	}
	values := make([]value, len(forms))
	for i, f := range forms {
		v, err := t.eval(f, env)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	t.line = line
	return t.apply(values[0], values[1:])
}

// apply calls a function. The native sort does too, for each comparison.
func (t *task) apply(fn value, args []value) (value, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, errors.New("calls are nested too deeply")
	}
	defer func() { t.depth-- }()
	switch fn := fn.(type) {
	case builtin:
		return fn(t, args)
	case *function:
		if len(args) != len(fn.params) {
			return nil, fmt.Errorf("%d arguments, want %d", len(args), len(fn.params))
		}
		env := &scope{vars: make(map[symbol]value, len(args)), outer: fn.env}
		for i, p := range fn.params {
			env.vars[p] = args[i]
		}
		return t.all(fn.body, env)
	}
	return nil, fmt.Errorf("a %s is no function", kind(fn))
}
