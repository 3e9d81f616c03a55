package starlark

import (
	"fmt"
	"math/bits"
	"strings"

	"go.starlark.net/lib/json"
	gostar "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Functions of the engine whose work is in proportion to their arguments pay for it before they begin. They are the
// engine's own, with the same names.

// payer says what a call costs, in bytes.
type payer func(args gostar.Tuple, kwargs []gostar.Tuple) (int64, error)

// charged adds the functions that pay.
func charged(names gostar.StringDict) {
	for _, name := range []string{"all", "any", "bytes", "dict", "enumerate", "hash", "list", "max", "min", "reversed", "set", "tuple", "zip"} {
		names[name] = paying(name, gostar.Universe[name], extents)
	}
	for _, name := range []string{"str", "repr", "print", "fail"} {
		names[name] = paying(name, gostar.Universe[name], texts)
	}
	names["int"] = paying("int", gostar.Universe["int"], parsing)
	names["sorted"] = paying("sorted", gostar.Universe["sorted"], sorting)
}

// chargedJSON is the module json.
func chargedJSON() *starlarkstruct.Module {
	m := &starlarkstruct.Module{Name: "json", Members: gostar.StringDict{}}
	for name, v := range json.Module.Members {
		switch name {
		case "encode":
			v = paying("json.encode", v, texts)
		case "decode", "indent":
			v = paying("json."+name, v, nested)
		}
		m.Members[name] = v
	}
	return m
}

// paying is a function that pays before it does its work. Threads that no Host has made pay nothing.
func paying(name string, of gostar.Value, cost payer) *gostar.Builtin {
	original := of.(gostar.Callable)
	return gostar.NewBuiltin(name, func(star *gostar.Thread, b *gostar.Builtin, args gostar.Tuple, kwargs []gostar.Tuple) (gostar.Value, error) {
		if t := threadOf(star); t != nil {
			bytes, err := cost(args, kwargs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if err := t.pay(bytes); err != nil {
				return nil, err
			}
		}
		return original.CallInternal(star, args, kwargs)
	})
}

func extents(args gostar.Tuple, _ []gostar.Tuple) (sum int64, _ error) {
	for _, v := range args {
		sum += elementsBytes(v)
	}
	return sum, nil
}

// elementsBytes is the work with all elements of a value, each of which is made if it is of a range or a text.
func elementsBytes(v gostar.Value) int64 {
	if list, ok := v.(gostar.Sequence); ok {
		return product(int64(list.Len()), entryBytes)
	}
	if characters, ok := v.(gostar.Iterable); ok && strings.HasPrefix(v.Type(), "string.") { // without a length
		n := int64(0)
		for range gostar.Elements(characters) {
			n++
		}
		return product(n, entryBytes)
	}
	return extent(v)
}

func sorting(args gostar.Tuple, _ []gostar.Tuple) (int64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	list, ok := args[0].(gostar.Sequence)
	if !ok {
		return 0, nil
	}
	n := list.Len()
	return product(int64(n), entryBytes*int64(1+bits.Len(uint(n)))), nil
}

// parsing is the work of reading an integer: that of the square of its digits at worst.
func parsing(args gostar.Tuple, _ []gostar.Tuple) (int64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	n := extent(args[0])
	return n + product(n, n)/1024, nil
}

func texts(args gostar.Tuple, kwargs []gostar.Tuple) (int64, error) {
	for _, pair := range kwargs {
		args = append(args[:len(args):len(args)], pair[1])
	}
	return textBytes(args)
}

// nested refuses a text of JSON that is too deep for the engine's recursive function.
func nested(args gostar.Tuple, _ []gostar.Tuple) (int64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	text, _ := gostar.AsString(args[0])
	deep, inside := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '[' || c == '{':
			if deep++; deep > maxLevels {
				return 0, fmt.Errorf("the text is nested more than %d levels deep", maxLevels)
			}
		case c == ']' || c == '}':
			deep--
		}
	}
	return elementBytes * int64(len(text)), nil
}
