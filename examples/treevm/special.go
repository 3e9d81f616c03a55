package main

import (
	"errors"
	"fmt"
)

// special is what evaluates the forms behind a word that is no function; nil if the word is none.
func special(name symbol) func(t *task, forms []form, env *scope) (value, error) {
	switch name {
	case "define":
		return (*task).define
	case "set":
		return (*task).set
	case "fn":
		return (*task).fn
	case "if":
		return (*task).branch
	case "while":
		return (*task).while
	case "do":
		return (*task).all
	case "try":
		return (*task).try
	}
	return nil
}

// (define name form) and (define (name params ...) body ...)
func (t *task) define(forms []form, env *scope) (v value, err error) {
	if len(forms) < 2 {
		return nil, errors.New("want (define name form) or (define (name params) body)")
	}
	name, ok := forms[0].value.(symbol)
	if head, is := forms[0].value.([]form); is && len(head) > 0 {
		name, ok = head[0].value.(symbol)
		v, err = closure(head[1:], forms[1:], env)
	} else {
		v, err = t.eval(forms[1], env)
	}
	if err == nil && !ok {
		err = errors.New("define has no name")
	}
	if err == nil {
		env.vars[name] = v
	}
	return v, err
}

// (set name form)
func (t *task) set(forms []form, env *scope) (value, error) {
	if len(forms) != 2 {
		return nil, errors.New("want (set name form)")
	}
	v, err := t.eval(forms[1], env)
	if err != nil {
		return nil, err
	}
	name, _ := forms[0].value.(symbol)
	s := env.find(name)
	if s == nil {
		return nil, fmt.Errorf("undefined: %s", name)
	}
	s.vars[name] = v
	return v, nil
}

// (fn (params ...) body ...)
func (*task) fn(forms []form, env *scope) (value, error) {
	if len(forms) > 0 {
		if params, ok := forms[0].value.([]form); ok {
			return closure(params, forms[1:], env)
		}
	}
	return nil, errors.New("want (fn (params) body)")
}

func closure(params, body []form, env *scope) (value, error) {
	f := &function{body: body, env: env}
	for _, p := range params {
		name, ok := p.value.(symbol)
		if !ok {
			return nil, errors.New("a parameter is no name")
		}
		f.params = append(f.params, name)
	}
	return f, nil
}

// (if condition form form), the last is optional
func (t *task) branch(forms []form, env *scope) (value, error) {
	if len(forms) != 2 && len(forms) != 3 {
		return nil, errors.New("want (if condition form form)")
	}
	v, err := t.eval(forms[0], env)
	switch {
	case err != nil:
		return nil, err
	case v == true:
		return t.eval(forms[1], env)
	}
	return t.all(forms[2:], env)
}

// (while condition body ...)
func (t *task) while(forms []form, env *scope) (value, error) {
	if len(forms) == 0 {
		return nil, errors.New("want (while condition body)")
	}
	for {
		if err := t.step(); err != nil {
			return nil, err
		}
		if v, err := t.eval(forms[0], env); err != nil || v != true {
			return null{}, err
		}
		if _, err := t.all(forms[1:], env); err != nil {
			return nil, err
		}
	}
}

// (try form handler) calls the handler with the text of an error of the program. A fiber that was
// cancelled or killed runs none.
func (t *task) try(forms []form, env *scope) (value, error) {
	if len(forms) != 2 {
		return nil, errors.New("want (try form handler)")
	}
	v, err := t.eval(forms[0], env)
	if err == nil || errors.Is(err, errStopped) {
		return v, err
	}
	handler, failed := t.eval(forms[1], env)
	if failed != nil {
		return nil, failed
	}
	return t.apply(handler, []value{err.Error()})
}
