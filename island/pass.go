package island

import (
	"errors"
	"fmt"
	"reflect"
)

// ErrShared: the element type of a port says nothing about how its values pass, and they
// could end up being used on two islands at once.
var ErrShared = errors.New("island: values of this type would be shared between islands")

// Cloner is an element type whose values are copied when they pass a port: the receiver
// gets the clone, the sender keeps what it has.
type Cloner[T any] interface{ Clone() T }

// Mover is an element type whose values are moved: what Move returns passes the port, and
// the receiver of the method has nothing left to share. Its method set is the pointer's.
type Mover[T any] interface{ Move() T }

// passage is how values of T pass, as T declares: moved, cloned, or, if nothing in them can
// be shared (no pointer, slice, map, channel, function or interface), just copied.
func passage[T any]() (func(*T) T, error) {
	var v T
	switch {
	case implements[Mover[T]](&v):
		return func(v *T) T { return any(v).(Mover[T]).Move() }, nil
	case implements[Cloner[T]](&v):
		return func(v *T) T { return any(v).(Cloner[T]).Clone() }, nil
	case plain(reflect.TypeFor[T]()):
		return nil, nil
	}
	return nil, fmt.Errorf("%w: %v has pointers; give it a Clone or a Move method, or send an island.Box", ErrShared, reflect.TypeFor[T]())
}

func implements[I any](v any) bool {
	_, ok := v.(I)
	return ok
}

// plain tells whether a copy of a value shares nothing that could be changed.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return false
	}
	return true // numbers, bools, strings: immutable
}

// Box moves anything through a port: whoever has put something in, or has been sent the
// box, takes it out once. When it is sent, every copy of it that the sender has is empty.
// The zero Box is empty.
type Box[T any] struct{ content *content[T] }

type content[T any] struct {
	v    T
	full bool
}

var _ Mover[Box[int]] = (*Box[int])(nil)

// NewBox puts v into a box. The caller must not use what v refers to any more.
func NewBox[T any](v T) Box[T] { return Box[T]{&content[T]{v, true}} }

// Take takes out what is in the box; false if it is empty.
func (b Box[T]) Take() (v T, ok bool) {
	if b.content == nil {
		return v, false
	}
	was := *b.content
	*b.content = content[T]{}
	return was.v, was.full
}

// Move empties the box into the one it returns.
func (b *Box[T]) Move() Box[T] {
	v, ok := b.Take()
	if !ok {
		return Box[T]{}
	}
	return NewBox(v)
}
