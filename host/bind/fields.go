package bind

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
)

// field is a field of a struct as guests see it.
type field struct {
	name      string
	index     []int
	omitEmpty bool
}

// fieldsOf returns the fields of a struct type, in the order of their declaration. Fields of embedded
// structs are fields of the struct, by Go's rules, unless the embedded struct has a name in its tag.
func fieldsOf(t reflect.Type) []field {
	var all []field
	var whole [][]int // embedded structs that are a field by themselves, or left out
	for _, f := range reflect.VisibleFields(t) {
		inside := slices.ContainsFunc(whole, func(outer []int) bool {
			return len(f.Index) > len(outer) && slices.Equal(f.Index[:len(outer)], outer)
		})
		tag, tagged := f.Tag.Lookup("guest")
		name, options, _ := strings.Cut(tag, ",")
		embedded := f.Anonymous && !isLeaf(f.Type) && name == ""
		switch {
		case inside || embedded:
			continue
		case f.Anonymous:
			whole = append(whole, f.Index)
		}
		if !f.IsExported() || tagged && name == "-" {
			continue
		}
		all = append(all, field{FieldName(f.Name, tag), f.Index, options == "omitempty"})
	}
	return all
}

// isLeaf returns whether an embedded type is no struct of fields.
func isLeaf(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() || isText(t)
}

// Field is a field of a struct that passes.
type Field struct {
	Name   string // of the Go field
	Passed string // its name as the key of a Mapping
	Type   reflect.Type
}

// Fields are the fields of a struct type that pass, those of embedded structs included.
func Fields(t reflect.Type) []Field {
	var all []Field
	for _, f := range fieldsOf(t) {
		of := t.FieldByIndex(f.index)
		all = append(all, Field{of.Name, f.name, of.Type})
	}
	return all
}

// FieldName is the name by which a field of a struct passes: that of its tag "guest", or the Go name with
// a small letter.
func FieldName(name, tag string) string {
	if given, _, _ := strings.Cut(tag, ","); given != "" {
		return given
	}
	return lowerFirst(name)
}

// lowerFirst is the name of a Go field without a tag: User is user, UserID is userID, ID is id, URLPath
// is urlPath.
func lowerFirst(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// sameName describes the first two fields with one name; "" if there are none.
func sameName(fields []field) string {
	seen := map[string]bool{}
	for _, f := range fields {
		if seen[f.name] {
			return fmt.Sprintf("two fields have the name %q in the guest; give one another name by a tag such as `guest:\"other\"`", f.name)
		}
		seen[f.name] = true
	}
	return ""
}

// names are the names of the fields, for messages.
func names(fields []field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return strings.Join(list, ", ")
}
