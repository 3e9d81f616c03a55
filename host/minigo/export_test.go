package minigo

import "reflect"

// TypeText is a type of Go that has no name as programs write it.
func TypeText(t reflect.Type) string { return (&file{goTypes: &goTypes{}}).of(t) }
