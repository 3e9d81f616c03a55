package minigo

import (
	"fmt"
	"path"
	"reflect"
	"strings"
)

// types are the types of the parameters and results.
func (f *boundFunction) types() []reflect.Type {
	return append(append([]reflect.Type(nil), f.fn.Params()...), f.fn.Results()...)
}

// packageSource declares the functions of a package, and names for the types that they use.
func (g *goTypes) packageSource(p *boundPackage) []byte {
	f := &file{goTypes: g}
	taken := map[string]bool{}
	for _, function := range p.functions {
		taken[function.name] = true
		f.declare(function)
	}
	seen := map[reflect.Type]bool{}
	for _, function := range p.functions {
		for _, t := range function.types() {
			f.aliases(t, taken, seen)
		}
	}
	return f.text(path.Base(p.path))
}

// aliases names the types of package host that a type needs.
func (f *file) aliases(t reflect.Type, taken map[string]bool, seen map[reflect.Type]bool) {
	if seen[t] || isPlain(t) {
		return
	}
	seen[t] = true
	if name := f.names[t]; name != "" {
		for _, alias := range []string{exportedName(t), name} {
			if !taken[alias] {
				taken[alias] = true
				fmt.Fprintf(f, "type %s = %s\n", alias, f.in(name))
				break
			}
		}
	}
	for _, part := range partsOf(t) {
		f.aliases(part, taken, seen)
	}
}

// declare declares a function. One that passes errors, iterators or functions has a body, which calls the
// native one.
func (f *file) declare(of *boundFunction) {
	d := &declaration{file: f, of: of}
	last := len(of.fn.Params()) - 1
	for i, t := range of.fn.Params() {
		d.param(i, t, of.fn.Variadic() && i == last)
	}
	for i, t := range of.fn.Results() {
		d.result(i, t)
	}
	if of.fn.Fails() {
		d.results, d.native, d.values = append(d.results, "error"), append(d.native, "error"), append(d.values, "err")
		d.names = append(d.names, "err")
	}
	d.write()
}

// declaration is a function that is declared.
type declaration struct {
	*file
	of              *boundFunction
	wrapped         bool
	params, results []string // of the function
	nativeParams    []string // of the native function
	native          []string // its results
	args            []string // it is called with
	names, values   []string // variables for its results, and what is returned
	after           string   // further declarations
	calls           string   // cases for the calls of functions that are parameters
}

func (d *declaration) param(i int, t reflect.Type, variadic bool) {
	name := fmt.Sprintf("a%d", i)
	if t.Kind() == reflect.Func {
		d.callable(i, name, t)
		return
	}
	arg, nativeType, pass := name, d.typeOf(t), passes(t, variadic)
	declared := nativeType
	if variadic {
		declared = "..." + strings.TrimPrefix(nativeType, "[]")
	}
	if pass != "" {
		d.wrapped = true
		arg = d.in(pass) + "(" + name + ")"
		switch pass {
		case "Pass":
			nativeType = "*" + d.in("Passed")
		case "PassList":
			nativeType = "[]*" + d.in("Passed")
		}
	}
	d.params = append(d.params, name+" "+declared)
	d.nativeParams = append(d.nativeParams, name+" "+nativeType)
	d.args = append(d.args, arg)
}

// typeOf is a type in the source.
func (d *declaration) typeOf(t reflect.Type) string { return d.file.of(t) }

// passes is the function of package host that prepares the errors in an argument; "" if it has none.
func passes(t reflect.Type, variadic bool) string {
	switch {
	case isError(t):
		return "Pass"
	case t == reflect.TypeFor[any]():
		return "PassAny"
	case variadic && isError(t.Elem()):
		return "PassList"
	case variadic && t.Elem() == reflect.TypeFor[any]():
		return "PassAnys"
	}
	return ""
}

func (d *declaration) result(i int, t reflect.Type) {
	name := fmt.Sprintf("r%d", i)
	d.names = append(d.names, name)
	if !isSeq(t) {
		typeName := d.typeOf(t)
		d.results, d.native, d.values = append(d.results, typeName), append(d.native, typeName), append(d.values, name)
		return
	}
	d.wrapped = true
	values := ""
	for n := range t.In(0).NumIn() {
		values += d.typeOf(t.In(0).In(n)) + ", "
	}
	next := fmt.Sprintf("next%s%d", d.of.name, i)
	d.results = append(d.results, "func() ("+values+"bool)")
	d.native = append(d.native, "*"+d.in("Iterator"))
	d.values = append(d.values, fmt.Sprintf("func() (%sbool) { return %s(%s) }", values, next, name))
	d.after += fmt.Sprintf("func %s(i *%s) (%sbool)\n", next, d.in("Iterator"), values)
}

func (d *declaration) write() {
	results := "(" + strings.Join(d.results, ", ") + ")"
	fmt.Fprintf(d, "func %s(%s) %s", d.of.name, strings.Join(d.params, ", "), results)
	if !d.wrapped {
		d.WriteString("\n")
		return
	}
	name, args, params, native := d.of.name, strings.Join(d.args, ", "), strings.Join(d.nativeParams, ", "), strings.Join(d.native, ", ")
	if d.calls == "" {
		call := d.returning(fmt.Sprintf("call%s(%s)", name, args))
		fmt.Fprintf(d, " {\n%s\n}\nfunc call%s(%s) (%s)\n%s", call, name, params, native, d.after)
		return
	}
	calling := d.in("Calling")
	fmt.Fprintf(d, " {\nc := begin%s(%s)\ndefer end%s(c)\nfor {\nswitch next%s(c) {\n%sdefault:\n%s\n", name, args, name, name, d.calls, d.returning("results"+name+"(c)"))
	if len(d.results) == 0 {
		d.WriteString("return\n")
	}
	fmt.Fprintf(d, "}\n}\n}\nfunc begin%s(%s) *%s\nfunc end%s(c *%s)\nfunc next%s(c *%s) int\nfunc results%s(c *%s) (%s)\n%s",
		name, params, calling, name, calling, name, calling, name, calling, native, d.after)
}

// returning returns the results of a call of the native function.
func (d *declaration) returning(call string) string {
	if len(d.names) == 0 {
		return call
	}
	return fmt.Sprintf("%s := %s\nreturn %s", strings.Join(d.names, ", "), call, strings.Join(d.values, ", "))
}

// callable declares a parameter that is a function: the native function asks for calls of it.
func (d *declaration) callable(i int, name string, t reflect.Type) {
	d.wrapped = true
	d.params = append(d.params, name+" "+d.typeOf(t))
	d.nativeParams = append(d.nativeParams, name+" bool")
	d.args = append(d.args, name+" != nil")
	var params, args, results, answers, types []string
	for n := range t.NumIn() {
		p := fmt.Sprintf("p%d", n)
		params = append(params, d.typeOf(t.In(n)))
		if t.IsVariadic() && n == t.NumIn()-1 {
			args = append(args, p+"...")
		} else {
			args = append(args, p)
		}
	}
	for n := range t.NumOut() {
		r := fmt.Sprintf("r%d", n)
		results = append(results, r)
		typeName := d.typeOf(t.Out(n))
		switch pass := passes(t.Out(n), false); pass {
		case "Pass":
			r, typeName = d.in(pass)+"("+r+")", "*"+d.in("Passed")
		case "PassAny":
			r = d.in(pass) + "(" + r + ")"
		}
		answers, types = append(answers, r), append(types, typeName)
	}
	of := fmt.Sprintf("%s%d", d.of.name, i)
	code := fmt.Sprintf("case %d:\n", i)
	if len(args) > 0 {
		code += fmt.Sprintf("%s := args%s(c)\n", strings.ReplaceAll(strings.Join(args, ", "), "...", ""), of)
	}
	call := fmt.Sprintf("%s(%s)\n", name, strings.Join(args, ", "))
	if len(results) > 0 {
		call = strings.Join(results, ", ") + " := " + call
	}
	d.calls += code + call + fmt.Sprintf("answer%s(%s)\n", of, strings.Join(append([]string{"c"}, answers...), ", "))
	calling := d.in("Calling")
	d.after += fmt.Sprintf("func args%s(c *%s) (%s)\nfunc answer%s(%s)\n", of, calling, strings.Join(params, ", "), of, strings.Join(append([]string{"*" + calling}, types...), ", "))
}
