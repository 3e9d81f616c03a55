package starlark

import (
	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The engine executes an operator as one step, whatever it makes: forty additions of a text to itself are a terabyte.
// With a quota of steps or of memory, programs are changed before they are compiled: an operator that can make something
// large becomes a call of a function with its name, which no program can write, and which pays.

// operators are these operators. % and * are also those of texts and lists.
var operators = map[syntax.Token]string{
	syntax.PLUS: "+", syntax.STAR: "*", syntax.PERCENT: "%", syntax.SLASHSLASH: "//", syntax.SLASH: "/", syntax.PIPE: "|",
}

// augmented are the operators of the assignments that change a variable.
var augmented = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.SLASH_EQ: syntax.SLASH, syntax.PIPE_EQ: syntax.PIPE,
}

// The functions that are no operators.
const (
	attribute = "."   // of an attribute: a method that pays
	sliced    = "[:]" // of what a slice is taken of
	added     = "=: " // before the name of an operator: of the variable and the operand of an augmented assignment
	spread    = "*()" // of the arguments f(*list)
	changed   = "=[]" // of the operand of an augmented assignment to an element or a field
)

// payingOperators are the functions.
func payingOperators(names gostar.StringDict) {
	for op, name := range operators {
		names[name] = operator(op, name)
		names[added+name] = augmentation(op, added+name)
	}
	names[attribute] = unary(attribute, func(t *thread, v gostar.Value) (gostar.Value, error) { return payingMethod(v), nil })
	names[sliced] = unary(sliced, func(t *thread, v gostar.Value) (gostar.Value, error) { return v, t.pay(extent(v)) })
	names[spread] = unary(spread, func(t *thread, v gostar.Value) (gostar.Value, error) { return v, t.pay(elementsBytes(v)) })
	names[changed] = unary(changed, func(t *thread, v gostar.Value) (gostar.Value, error) {
		return v, t.pay(extent(v) + t.host.largest) // what it is added to cannot be seen here
	})
	names["getattr"] = gostar.NewBuiltin("getattr", func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, kwargs []gostar.Tuple) (gostar.Value, error) {
		v, err := gostar.Universe["getattr"].(*gostar.Builtin).CallInternal(star, args, kwargs)
		if err != nil {
			return nil, err
		}
		return payingMethod(v), nil
	})
}

func operator(op syntax.Token, name string) *gostar.Builtin {
	return gostar.NewBuiltin(name, func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		if err := payBinary(star, op, args[0], args[1]); err != nil {
			return nil, err
		}
		return gostar.Binary(op, args[0], args[1])
	})
}

// augmentation pays for x op= y, and is y.
func augmentation(op syntax.Token, name string) *gostar.Builtin {
	return gostar.NewBuiltin(name, func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		x, y := args[0], args[1]
		if _, inPlace := x.(*gostar.List); inPlace && op == syntax.PLUS {
			x = gostar.None
		}
		return y, payBinary(star, op, x, y)
	})
}

func payBinary(star *gostar.Thread, op syntax.Token, x, y gostar.Value) error {
	bytes := binaryBytes(op, x, y)
	if bytes < bytesOfStep {
		return nil
	}
	t := threadOf(star)
	if t == nil {
		return nil
	}
	t.host.largest = max(t.host.largest, bytes)
	return t.pay(bytes)
}

func unary(name string, do func(*thread, gostar.Value) (gostar.Value, error)) *gostar.Builtin {
	return gostar.NewBuiltin(name, func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, _ []gostar.Tuple) (gostar.Value, error) {
		t := threadOf(star)
		if t == nil {
			return args[0], nil
		}
		return do(t, args[0])
	})
}

// payingMethod is a method that pays, of a method of a type of the engine; any other value is itself.
func payingMethod(v gostar.Value) gostar.Value {
	method, ok := v.(*gostar.Builtin)
	if !ok {
		return v
	}
	on := method.Receiver()
	switch on.(type) {
	case gostar.String, gostar.Bytes, *gostar.List, *gostar.Dict, *gostar.Set:
	default:
		return v
	}
	return gostar.NewBuiltin(method.Name(), func(star *gostar.Thread, _ *gostar.Builtin, args gostar.Tuple, kwargs []gostar.Tuple) (gostar.Value, error) {
		if t := threadOf(star); t != nil {
			bytes := methodBytes(method.Name(), on, args, kwargs)
			t.host.largest = max(t.host.largest, bytes)
			if err := t.pay(bytes); err != nil {
				return nil, err
			}
		}
		return method.CallInternal(star, args, kwargs)
	}).BindReceiver(on)
}
