package callfuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// World is what the calls are made on.
type World struct {
	// Receivers have the methods that are called.
	Receivers []any
	// Skip are methods that wait for an event, or call code of the test in a loop.
	Skip []string
	// Often are methods that are called ten times as often as others.
	Often []string
	// Stock are values for arguments, of any type; results of calls are added to it. A parameter of
	// a type that it does not have gets the zero value.
	Stock []any
	// Judge is called with the error of each refused call, and returns what is wrong with it.
	Judge func(name string, refused error) error

	// Made and Refused count the calls, by the name of the method.
	Made, Refused map[string]int

	methods []method
	values  map[reflect.Type][]reflect.Value
}

type method struct {
	name string
	f    reflect.Value
}

// Play makes n calls. The error names the first fault, and the calls that led to it.
func (w *World) Play(rng *rand.Rand, n int) error {
	w.collect()
	var made []string
	for range n {
		m := w.methods[rng.IntN(len(w.methods))]
		in := w.arguments(rng, m.f.Type())
		made = append(made, m.name+describe(in))
		if err := w.call(m, in); err != nil {
			return fmt.Errorf("after %s: %w", strings.Join(made[max(0, len(made)-12):], ", "), err)
		}
	}
	return nil
}

func (w *World) collect() {
	w.values = map[reflect.Type][]reflect.Value{}
	if w.Made == nil {
		w.Made, w.Refused = map[string]int{}, map[string]int{}
	}
	for _, v := range w.Stock {
		w.keep(reflect.ValueOf(v))
	}
	for _, r := range w.Receivers {
		v := reflect.ValueOf(r)
		for i := range v.NumMethod() {
			if name := v.Type().Method(i).Name; !slices.Contains(w.Skip, name) {
				times := 1
				if slices.Contains(w.Often, name) {
					times = 10
				}
				m := method{fmt.Sprintf("%v.%s", v.Type(), name), v.Method(i)}
				w.methods = append(w.methods, slices.Repeat([]method{m}, times)...)
			}
		}
	}
}

// maxKept bounds the values of one type; later ones replace a random part of them.
const maxKept = 16

func (w *World) keep(v reflect.Value) {
	if !v.IsValid() {
		return
	}
	kept := w.values[v.Type()]
	if len(kept) == maxKept {
		kept = slices.Delete(kept, maxKept/2, maxKept/2+1)
	}
	w.values[v.Type()] = append(kept, v)
}

func (w *World) arguments(rng *rand.Rand, f reflect.Type) []reflect.Value {
	in := make([]reflect.Value, f.NumIn())
	for i := range in {
		to := f.In(i)
		if f.IsVariadic() && i == len(in)-1 {
			in[i] = reflect.MakeSlice(to, 0, 1)
			if v := w.argument(rng, to.Elem()); rng.IntN(2) == 0 {
				in[i] = reflect.Append(in[i], v)
			}
			continue
		}
		in[i] = w.argument(rng, to)
	}
	return in
}

// argument is mostly a value of the stock, and sometimes the zero value.
func (w *World) argument(rng *rand.Rand, to reflect.Type) reflect.Value {
	var fit []reflect.Value
	if to.Kind() == reflect.Interface {
		for _, of := range w.types() {
			if of.Implements(to) {
				fit = append(fit, w.values[of]...)
			}
		}
	} else {
		fit = w.values[to]
	}
	if len(fit) == 0 || rng.IntN(8) == 0 {
		return reflect.Zero(to)
	}
	return fit[rng.IntN(len(fit))]
}

// types are those of the stock in an order that a seed repeats.
func (w *World) types() []reflect.Type {
	all := make([]reflect.Type, 0, len(w.values))
	for of := range w.values {
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) })
	return all
}

func (w *World) call(m method, in []reflect.Value) (fault error) {
	w.Made[m.name]++
	defer func() {
		if r := recover(); r != nil {
			w.Refused[m.name]++
			if fault = refusal(r); fault == nil && w.Judge != nil {
				fault = w.Judge(m.name, r.(error))
			}
			if fault != nil {
				fault = fmt.Errorf("%s%s: %w", m.name, describe(in), fault)
			}
		}
	}()
	var out []reflect.Value
	if m.f.Type().IsVariadic() {
		out = m.f.CallSlice(in)
	} else {
		out = m.f.Call(in)
	}
	for _, v := range out {
		if v.Kind() != reflect.Func && v.Kind() != reflect.Interface && v.Kind() != reflect.Slice {
			w.keep(v)
		}
	}
	return nil
}

// refusal is what is wrong with a panic as the refusal of a broken contract.
func refusal(panicked any) error {
	err, ok := panicked.(error)
	var bad runtime.Error
	switch {
	case !ok:
		return fmt.Errorf("a panic that is no error: %v", panicked)
	case errors.As(err, &bad):
		return fmt.Errorf("a panic of Go's runtime: %w", err)
	case !strings.Contains(err.Error(), "(docs/invariants.md#"):
		return fmt.Errorf("a panic that cites no rule: %w", err)
	}
	return nil
}

func describe(in []reflect.Value) string {
	var b strings.Builder
	for i, v := range in {
		if i > 0 {
			b.WriteString(", ")
		}
		if s, ok := v.Interface().(fmt.Stringer); ok && (v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface || !v.IsNil()) {
			b.WriteString(s.String())
		} else {
			b.WriteString(v.Type().String())
		}
	}
	return "(" + b.String() + ")"
}
