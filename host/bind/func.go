package bind

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// Func is a Go function that guests can call. It does not change: any number of hosts may bind it.
type Func struct {
	value    reflect.Value
	name     string // of the Go function
	blocking bool
	context  bool // the first parameter is a context
	fails    bool // the last result is an error
	variadic bool
	calls    bool           // a parameter is a function of the guest
	params   []reflect.Type // without the context
	results  []reflect.Type // without the error
	frame    reflect.Type   // a struct with a field for each of params
}

// New makes a Func of a Go function. Guests call it on the goroutine that owns their host: no fiber runs
// until it returns, so it must be short. Parameters and results are booleans, numbers, strings, []byte,
// time.Time, time.Duration, errors, types with MarshalText and UnmarshalText, any, and slices, arrays,
// maps and structs of them and pointers to them. Besides:
//
//   - A first parameter of type context.Context gets the context of the fiber that calls.
//   - A last result of type error is the error of the call, if it is not nil.
//   - A parameter may be a function of the guest, such as func(int) (string, error). The Go function calls
//     it on its own goroutine, until it returns; other fibers may run meanwhile. An error of the guest is the last
//     result, or ends the Go function if it has none.
//   - A result of type iter.Seq or iter.Seq2 is an iterator for the guest, if its language has them.
//   - The last parameter may be variadic.
//
// The error is a *TypeError. The cost is that of reflection: make a Func once.
func New(function any) (*Func, error) { return newFunc(function, false) }

// NewBlocking makes a Func that runs on another goroutine, of the blocking pool of the host, while the
// fiber that calls waits and the others run. Arguments are copied before, and results after. Several
// calls run at the same time. When the fiber is cancelled or killed, or its host is closed, the context
// of the function ends, and its results are dropped; the function should return soon then. In virtual
// time it runs as that of New. It cannot return an iterator, and cannot call functions of the guest: they
// run on the owner.
func NewBlocking(function any) (*Func, error) { return newFunc(function, true) }

// Must is for Funcs in variables: it panics if err is not nil.
func Must(f *Func, err error) *Func {
	if err != nil {
		panic(err)
	}
	return f
}

func newFunc(function any, blocking bool) (*Func, error) {
	v := reflect.ValueOf(function)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, &TypeError{Type: reflect.TypeOf(function), Reason: fmt.Sprintf("want a Go function, got %T", function)}
	}
	t := v.Type()
	f := &Func{value: v, name: nameOf(v), blocking: blocking, variadic: t.IsVariadic()}
	c := &checker{function: f.name, seen: map[reflect.Type]bool{}}
	if err := f.addParams(c, t); err != nil {
		return nil, err
	}
	if err := f.addResults(c, t); err != nil {
		return nil, err
	}
	fields := make([]reflect.StructField, len(f.params))
	for i, p := range f.params {
		fields[i] = reflect.StructField{Name: "P" + strconv.Itoa(i), Type: p}
	}
	f.frame = reflect.StructOf(fields)
	return f, nil
}

func (f *Func) addParams(c *checker, t reflect.Type) error {
	for i := range t.NumIn() {
		p := t.In(i)
		if i == 0 && p == reflect.TypeFor[context.Context]() {
			f.context = true
			continue
		}
		if err := f.checkParam(c, p, numbered("parameter", i)); err != nil {
			return err
		}
		f.params = append(f.params, p)
	}
	return nil
}

func (f *Func) checkParam(c *checker, p reflect.Type, place string) error {
	if p.Kind() != reflect.Func || isSeq(p) {
		return c.check(p, place)
	}
	if f.calls = true; f.blocking {
		return c.refuse(p, place, "a function of the guest runs on the goroutine that owns the host; use New")
	}
	return c.checkFunction(p, place)
}

func (f *Func) addResults(c *checker, t reflect.Type) error {
	for i := range t.NumOut() {
		r, place := t.Out(i), numbered("result", i)
		switch {
		case i == t.NumOut()-1 && r == reflect.TypeFor[error]():
			f.fails = true
			continue
		case isSeq(r) && f.blocking:
			return c.refuse(r, place, "an iterator runs on the goroutine that owns the host, where it must not block; return a slice, or use New")
		case isSeq(r):
			for n := range r.In(0).NumIn() {
				if err := c.check(r.In(0).In(n), place+": values"); err != nil {
					return err
				}
			}
		default:
			if err := c.check(r, place); err != nil {
				return err
			}
		}
		f.results = append(f.results, r)
	}
	return nil
}

// isSeq returns whether a type is an iter.Seq or an iter.Seq2.
func isSeq(t reflect.Type) bool { return t.Kind() == reflect.Func && (t.CanSeq() || t.CanSeq2()) }

// nameOf is the name of a Go function with its package, without the path of that.
func nameOf(v reflect.Value) string {
	name := runtime.FuncForPC(v.Pointer()).Name()
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], "-fm") // of a method value
}

// Name is the name of the Go function.
func (f *Func) Name() string { return f.name }

// Blocking returns whether NewBlocking has made the Func.
func (f *Func) Blocking() bool { return f.blocking }

// TakesContext returns whether the first parameter is a context.
func (f *Func) TakesContext() bool { return f.context }

// Fails returns whether the last result is an error, which is the error of the call.
func (f *Func) Fails() bool { return f.fails }

// Type is the type of the Go function.
func (f *Func) Type() reflect.Type { return f.value.Type() }

// TakesFunctions returns whether a parameter is a function of the guest.
func (f *Func) TakesFunctions() bool { return f.calls }

// Variadic returns whether the last parameter is variadic; its type is that of a slice.
func (f *Func) Variadic() bool { return f.variadic }

// Params are the types of the parameters that a guest passes.
func (f *Func) Params() []reflect.Type { return f.params }

// Results are the types of the results that a guest gets.
func (f *Func) Results() []reflect.Type { return f.results }
