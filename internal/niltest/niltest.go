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
	// Good are valid arguments. A function is called with every combination of nil, zero and good
	// arguments that has a nil, and with zero arguments.
	Good []any
	// Nil are typed nils, such as HandlerFunc(nil), which are passed too where they can be.
	Nil []any
	// Skip are methods that wait for an event.
	Skip []string
	// Within, if not nil, makes each call of a method where it belongs, such as in a fiber. What makes
	// the receiver runs there too, and may set Good to values of that place, of the same types.
	Within func(call func())
	// Calls counts the calls.
	Calls int
}

// Methods calls each exported method of a receiver that fresh makes for the call. Then fresh's second
// result, if it is not nil, uses the receiver: a nil argument may have been kept.
func (p *Probe) Methods(t *testing.T, fresh func() (receiver any, use func())) {
	t.Helper()
	var of reflect.Type
	var count []int
	p.within(func() {
		first, _ := fresh()
		of = reflect.TypeOf(first)
		for i := range of.NumMethod() {
			count = append(count, len(p.arguments(reflect.ValueOf(first).Method(i).Type())))
		}
	})
	for i := range of.NumMethod() {
		if slices.Contains(p.Skip, of.Method(i).Name) {
			continue
		}
		for n := range count[i] {
			p.within(func() {
				receiver, use := fresh()
				method := reflect.ValueOf(receiver).Method(i)
				p.call(t, fmt.Sprintf("%v.%s", of, of.Method(i).Name), method, p.arguments(method.Type())[n], use)
			})
		}
	}
}

func (p *Probe) within(call func()) {
	if p.Within == nil {
		call()
		return
	}
	p.Within(call)
}

// Func calls a function.
func (p *Probe) Func(t *testing.T, name string, function any) {
	t.Helper()
	f := reflect.ValueOf(function)
	for _, in := range p.arguments(f.Type()) {
		p.call(t, name, f, in, nil)
	}
}

// arguments are those of each call of a function, the zero arguments first.
func (p *Probe) arguments(f reflect.Type) [][]reflect.Value {
	type list struct {
		in     []reflect.Value
		hasNil bool
	}
	all := []list{{}}
	for i := range f.NumIn() {
		var longer []list
		for _, l := range all {
			add := func(v reflect.Value, isNil bool) {
				longer = append(longer, list{append(l.in[:len(l.in):len(l.in)], v), l.hasNil || isNil})
			}
			add(zero(f, i), nilable(f.In(i).Kind()))
			for _, v := range assignable(p.Nil, f.In(i)) {
				add(v, true)
			}
			for _, v := range assignable(p.Good, f.In(i)) {
				add(v, false)
			}
		}
		all = longer
	}
	var in [][]reflect.Value
	for i, l := range all {
		if i == 0 || l.hasNil {
			in = append(in, l.in)
		}
	}
	return in
}

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Func, reflect.Interface, reflect.Pointer, reflect.Map, reflect.Chan, reflect.Slice:
		return true
	}
	return false
}

// zero is the zero argument, for a variadic parameter a single one.
func zero(f reflect.Type, param int) reflect.Value {
	if f.IsVariadic() && param == f.NumIn()-1 {
		return reflect.MakeSlice(f.In(param), 1, 1)
	}
	return reflect.Zero(f.In(param))
}

func assignable(values []any, to reflect.Type) (found []reflect.Value) {
	for _, v := range values {
		if reflect.TypeOf(v).AssignableTo(to) {
			found = append(found, reflect.ValueOf(v))
		}
	}
	return found
}

func (p *Probe) call(t *testing.T, name string, f reflect.Value, in []reflect.Value, use func()) {
	t.Helper()
	p.Calls++
	at := name + "("
	for _, v := range in {
		if nilable(v.Kind()) && v.IsNil() {
			at += " nil"
			continue
		}
		at += " " + v.Type().String()
	}
	at += " )"
	judge(t, at, func() {
		if f.Type().IsVariadic() {
			f.CallSlice(in)
		} else {
			f.Call(in)
		}
	})
	if use != nil {
		judge(t, "after "+at, use)
	}
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
