package minigo

import (
	"fmt"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/selvage-dev/selvage/host/bind"
)

// goTypes are the named types of Go that the functions of a Library use. They are declared in package host.
type goTypes struct {
	names map[reflect.Type]string
	order []reflect.Type
	taken map[string]bool
}

// reserved are the exported names that package host has already.
const reserved = " Calling Iterator Passed Pass PassAny PassAnys PassList "

// declare adds the named types in a type.
func (g *goTypes) declare(t reflect.Type) {
	switch {
	case isPlain(t), g.names[t] != "":
		return
	case t.Name() != "" && t.PkgPath() != "" && t.Kind() != reflect.Func:
		g.add(t)
	}
	for _, part := range partsOf(t) {
		g.declare(part)
	}
}

func (g *goTypes) add(t reflect.Type) {
	if g.names == nil {
		g.names, g.taken = map[reflect.Type]string{}, map[string]bool{}
	}
	base := exportedName(t)
	name := base
	for n := 2; g.taken[name] || strings.Contains(reserved, " "+name+" "); n++ {
		name = base + strconv.Itoa(n)
	}
	g.taken[name], g.names[t] = true, name
	g.order = append(g.order, t)
}

// isPlain tells whether a type has the same name everywhere, or is a string.
func isPlain(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[time.Duration]() || isError(t) || bind.HasText(t) {
		return true
	}
	return t.PkgPath() == "" && (t.Kind() <= reflect.Float64 || t.Kind() == reflect.String || t.Kind() == reflect.Interface)
}

// isError tells whether values of a type pass as errors.
func isError(t reflect.Type) bool { return t.Implements(reflect.TypeFor[error]()) }

// isSeq tells whether a type is an iterator.
func isSeq(t reflect.Type) bool { return t.Kind() == reflect.Func && (t.CanSeq() || t.CanSeq2()) }

// partsOf are the types that a type is made of.
func partsOf(t reflect.Type) (parts []reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return []reflect.Type{t.Elem()}
	case reflect.Map:
		return []reflect.Type{t.Key(), t.Elem()}
	case reflect.Struct:
		for _, f := range bind.Fields(t) {
			parts = append(parts, f.Type)
		}
	case reflect.Func:
		if isSeq(t) {
			t = t.In(0) // of the values
		}
		for i := range t.NumIn() {
			parts = append(parts, t.In(i))
		}
		for i := range t.NumOut() {
			parts = append(parts, t.Out(i))
		}
	}
	return parts
}

// exportedName is an exported identifier like the name of a type.
func exportedName(t reflect.Type) string {
	runes := []rune(t.Name())
	for i, c := range runes {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			runes[i] = '_'
		}
	}
	runes[0] = unicode.ToUpper(runes[0])
	if name := string(runes); token.IsExported(name) {
		return name
	}
	return "T" + string(runes)
}

// file is a source that is generated.
type file struct {
	strings.Builder
	*goTypes
	home       bool // it is of package host
	host, time bool // what it imports
}

// text is the source with its imports.
func (f *file) text(pkg string) []byte {
	imports := ""
	if f.host {
		imports += "import \"host\"\n"
	}
	if f.time {
		imports += "import \"time\"\n"
	}
	return []byte("package " + pkg + "\n\n" + imports + f.String())
}

// source declares the types.
func (g *goTypes) source() []byte {
	f := &file{goTypes: g, home: true}
	for _, t := range g.order {
		fmt.Fprintf(f, "type %s %s\n", g.names[t], f.made(t))
	}
	return f.text("host")
}

// in is a type of package host in the source.
func (f *file) in(name string) string {
	if f.home {
		return name
	}
	f.host = true
	return "host." + name
}

// of is a type in the source.
func (f *file) of(t reflect.Type) string {
	switch {
	case isError(t):
		return "error"
	case t == reflect.TypeFor[time.Time]():
		f.time = true
		return "time.Time"
	case t == reflect.TypeFor[time.Duration]():
		f.time = true
		return "time.Duration"
	case bind.HasText(t):
		return "string"
	case f.names[t] != "":
		return f.in(f.names[t])
	}
	return f.made(t)
}

// function is a type of functions.
func (f *file) function(t reflect.Type) string {
	params, results := make([]string, t.NumIn()), make([]string, t.NumOut())
	for i := range params {
		if params[i] = f.of(t.In(i)); t.IsVariadic() && i == len(params)-1 {
			params[i] = "..." + f.of(t.In(i).Elem())
		}
	}
	for i := range results {
		results[i] = f.of(t.Out(i))
	}
	return fmt.Sprintf("func(%s) (%s)", strings.Join(params, ", "), strings.Join(results, ", "))
}

// made is what a type is made of.
func (f *file) made(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + f.of(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), f.of(t.Elem()))
	case reflect.Pointer:
		return "*" + f.of(t.Elem())
	case reflect.Map:
		return fmt.Sprintf("map[%s]%s", f.of(t.Key()), f.of(t.Elem()))
	case reflect.Interface:
		return "any"
	case reflect.Func:
		return f.function(t)
	case reflect.Struct:
		fields := ""
		for _, field := range bind.Fields(t) {
			fields += fmt.Sprintf("%s %s %q; ", field.Name, f.of(field.Type), fmt.Sprintf("guest:%q", field.Passed))
		}
		return "struct { " + fields + "}"
	}
	return t.Kind().String()
}
