package island

import (
	"errors"
	"fmt"
	"reflect"
)

// ErrShared: values of the port's element type could be used by two islands at once, because
// the type does not say how they are transferred.
var ErrShared = errors.New("island: values of this type would be shared between islands")

// Cloner is an element type whose values are copied when they pass a port: the receiver
// gets the clone, and the sender keeps its value. Clone must not use the Sender, which is in the
// middle of the send.
type Cloner[T any] interface{ Clone() T }

// Mover is an element type whose values are moved: the receiver gets what Move returns, and
// the value that the sender keeps must share nothing with it. A pointer receiver makes sense. Move
// must not use the Sender, which is in the middle of the send.
type Mover[T any] interface{ Move() T }

// transferOf is how values of T pass a port: moved, cloned, or (nil) just copied, if no part of
// them can be shared.
func transferOf[T any]() (func(*T) T, error) {
	var v T
	switch {
	case implements[Mover[T]](&v):
		return func(v *T) T { return any(v).(Mover[T]).Move() }, nil
	case implements[Cloner[T]](&v):
		return func(v *T) T { return any(v).(Cloner[T]).Clone() }, nil
	case copyable(reflect.TypeFor[T]()):
		return nil, nil
	}
	return nil, fmt.Errorf("%w: %v has pointers; give it a Clone or Move method, or send an island.Box", ErrShared, reflect.TypeFor[T]())
}

func implements[I any](v any) bool {
	_, ok := v.(I)
	return ok
}

// copyable tells whether a copy of a value shares no memory that can be written. It is checked once
// for each port, not for each value.
func copyable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return copyable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !copyable(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return false
	}
	return true // numbers, bools and strings are immutable
}

// Box moves a value of any type through a port. Its content can be taken out once. Sending a
// box empties every copy of it that the sender has. The zero Box is empty.
//
// A box does not make its content safe: whatever else refers to it on the sending island must not
// be used after the send. The type system cannot check that, so the sender promises it.
type Box[T any] struct{ content *content[T] }

// content is shared by all copies of one box, so that taking it out of one empties them all. It is
// not synchronized: the copies are on one island, because sending makes a new box.
type content[T any] struct {
	v    T
	full bool
}

var _ Mover[Box[int]] = (*Box[int])(nil)

// NewBox puts v into a box. The caller must not use anything that v refers to afterwards.
func NewBox[T any](v T) Box[T] { return Box[T]{&content[T]{v, true}} }

// Take takes the content out. False: the box is empty.
func (b Box[T]) Take() (v T, ok bool) {
	if b.content == nil {
		return v, false
	}
	was := *b.content
	*b.content = content[T]{}
	return was.v, was.full
}

// Move returns a box with the content, and empties this one and its copies.
func (b *Box[T]) Move() Box[T] {
	v, ok := b.Take()
	if !ok {
		return Box[T]{}
	}
	return NewBox(v)
}
