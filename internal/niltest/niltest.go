package niltest

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Probe says how calls are made; the zero Probe passes nothing but nil and zero arguments.
type Probe struct {
	// Good are valid arguments. A function is called once with all arguments nil or zero, and once
	// for each argument that can be nil, with that one nil and a good one, if there is, for the others.
	Good []any
	// Nil are typed nils, such as HandlerFunc(nil), which are passed too where they can be.
	Nil []any
	// Skip are methods that wait for an event.
	Skip []string
	// Calls counts the calls.
	Calls int
}

// Methods calls each exported method of a receiver that fresh makes for the call. Then fresh's second
// result, if it is not nil, uses the receiver: a nil argument may have been kept.
func (p *Probe) Methods(t *testing.T, fresh func() (receiver any, use func())) {
	t.Helper()
	first, _ := fresh()
	of := reflect.TypeOf(first)
	for i := range of.NumMethod() {
		if slices.Contains(p.Skip, of.Method(i).Name) {
			continue
		}
		for _, arg := range p.absences(reflect.ValueOf(first).Method(i).Type()) {
			receiver, use := fresh()
			p.call(t, fmt.Sprintf("%v.%s", of, of.Method(i).Name), reflect.ValueOf(receiver).Method(i), arg, use)
		}
	}
}

// Func calls a function.
func (p *Probe) Func(t *testing.T, name string, function any) {
	t.Helper()
	f := reflect.ValueOf(function)
	for _, arg := range p.absences(f.Type()) {
		p.call(t, name, f, arg, nil)
	}
}

// all stands for all parameters.
const all = -1

// absence is a parameter that is given a nil.
type absence struct {
	param int
	value reflect.Value
}

// absences are those that a function can be called with, that of all parameters first.
func (p *Probe) absences(f reflect.Type) []absence {
	found := []absence{{param: all}}
	for i := range f.NumIn() {
		switch in := f.In(i); in.Kind() {
		case reflect.Func, reflect.Interface, reflect.Pointer, reflect.Map, reflect.Chan, reflect.Slice:
			found = append(found, absence{i, none(f, i)})
			for _, typed := range p.Nil {
				if reflect.TypeOf(typed).AssignableTo(in) {
					found = append(found, absence{i, reflect.ValueOf(typed)})
				}
			}
		}
	}
	return found
}

// none is the zero argument, for a variadic parameter a single one.
func none(f reflect.Type, param int) reflect.Value {
	if f.IsVariadic() && param == f.NumIn()-1 {
		return reflect.MakeSlice(f.In(param), 1, 1)
	}
	return reflect.Zero(f.In(param))
}

func (p *Probe) call(t *testing.T, name string, f reflect.Value, arg absence, use func()) {
	t.Helper()
	p.Calls++
	at := name + ", all arguments nil"
	if arg.param != all {
		at = fmt.Sprintf("%s, argument %d %#v", name, arg.param, arg.value)
	}
	judge(t, at, func() {
		if in := p.arguments(f.Type(), arg); f.Type().IsVariadic() {
			f.CallSlice(in)
		} else {
			f.Call(in)
		}
	})
	if use != nil {
		judge(t, "after "+at, use)
	}
}

func (p *Probe) arguments(f reflect.Type, arg absence) []reflect.Value {
	in := make([]reflect.Value, f.NumIn())
	for i := range in {
		switch in[i] = none(f, i); {
		case i == arg.param:
			in[i] = arg.value
		case arg.param != all:
			in[i] = p.good(f.In(i), in[i])
		}
	}
	return in
}

func (p *Probe) good(of reflect.Type, or reflect.Value) reflect.Value {
	for _, good := range p.Good {
		if reflect.TypeOf(good).AssignableTo(of) {
			return reflect.ValueOf(good)
		}
	}
	return or
}

// judge reports a panic of Go's runtime, and one without a citation.
func judge(t *testing.T, at string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r != nil {
			if fault := Fault(r); fault != "" {
				t.Errorf("%s: %s", at, fault)
			}
		}
	}()
	call()
}

// Fault is what is wrong with a panic; "" if it is that of a broken contract. Its text cites a rule
// and continues with the fix.
func Fault(panicked any) string {
	if err, ok := panicked.(error); ok {
		if bad := runtime.Error(nil); errors.As(err, &bad) {
			return fmt.Sprintf("a panic of Go's runtime: %v", err)
		}
	}
	if !strings.Contains(fmt.Sprint(panicked), "(docs/invariants.md#") {
		return fmt.Sprintf("a panic that cites no rule: %v", panicked)
	}
	return ""
}
