package bind

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// checker finds out whether a type can pass. It stops at types that it is checking already.
type checker struct {
	function string
	seen     map[reflect.Type]bool
}

// checkVariable checks the type of a variable for a result.
func checkVariable(t reflect.Type, place string) error {
	if t.Kind() <= reflect.Float64 || t.Kind() == reflect.String { // the usual types need no map
		return nil
	}
	c := checker{seen: map[reflect.Type]bool{}}
	return c.check(t, place)
}

// check returns a *TypeError, or nil.
func (c *checker) check(t reflect.Type, place string) error {
	if c.seen[t] {
		return nil
	}
	c.seen[t] = true
	if isText(t) || t == reflect.TypeFor[time.Time]() {
		return nil
	}
	switch t.Kind() {
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.UnsafePointer, reflect.Func:
		return c.refuse(t, place, "cannot pass between Go and a guest; use "+passable)
	case reflect.Interface:
		if t.NumMethod() > 0 && t != reflect.TypeFor[error]() {
			return c.refuse(t, place, "no type is known to make for this interface; use any, error, or a type that is no interface")
		}
	case reflect.Slice, reflect.Array:
		return c.check(t.Elem(), place+": elements")
	case reflect.Pointer:
		return c.check(t.Elem(), place)
	case reflect.Map:
		return c.checkMap(t, place)
	case reflect.Struct:
		return c.checkStruct(t, place)
	}
	return nil
}

// checkFunction checks the type of a function of the guest.
func (c *checker) checkFunction(t reflect.Type, place string) error {
	for i := range t.NumIn() {
		if t.In(i) == reflect.TypeFor[context.Context]() {
			return c.refuse(t, place, "a function of the guest takes no context; it runs in the fiber that calls the Go function")
		}
		if err := c.check(t.In(i), place+": "+numbered("parameter", i)); err != nil {
			return err
		}
	}
	for i := range t.NumOut() {
		if err := c.check(t.Out(i), place+": "+numbered("result", i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) checkMap(t reflect.Type, place string) error {
	key := t.Key()
	switch kind := key.Kind(); {
	case kind <= reflect.Float64, kind == reflect.String, isText(key), kind == reflect.Interface && key.NumMethod() == 0:
		return c.check(t.Elem(), place+": values")
	}
	return c.refuse(key, place+": keys", "cannot be a key in a guest; use strings, numbers or booleans")
}

func (c *checker) checkStruct(t reflect.Type, place string) error {
	fields := fieldsOf(t)
	if same := sameName(fields); same != "" {
		return c.refuse(t, place, same)
	}
	for _, f := range fields {
		for n := 1; n < len(f.index); n++ {
			if outer := t.FieldByIndex(f.index[:n]); outer.Type.Kind() == reflect.Pointer && !outer.IsExported() {
				return c.refuse(outer.Type, place, "Go cannot set the embedded pointer "+outer.Name+", whose type is not exported; embed the struct itself")
			}
		}
		of := t.FieldByIndex(f.index)
		if err := c.check(of.Type, place+": field "+of.Name); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) refuse(t reflect.Type, place, why string) error {
	reason := why
	if t.Kind() != reflect.Struct || t.Name() != "" {
		reason = fmt.Sprintf("%v: %s", t, why)
	}
	return &TypeError{Function: c.function, Place: place, Type: t, Reason: reason}
}

func numbered(what string, i int) string { return what + " " + strconv.Itoa(i+1) }
