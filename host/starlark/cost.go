package starlark

import (
	"fmt"
	"math/bits"
	"strings"

	gostar "go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/selvage-dev/selvage/quota"
)

// The work of functions and operators, in bytes that they make or look at. bytesOfStep of them are a step.
const (
	elementBytes = 16 // of a list or a tuple
	entryBytes   = 64 // of a dict or a set
)

// maxText is the most bytes that the text of a value may have, if no quota is less.
const maxText = 1 << 30

// pay charges an operation that makes or looks at so many bytes, before it does. It passes the quota of memory if a
// single one needs more than is left of that. What it makes is not counted afterwards: the engine does not tell
// when a value is no longer used.
func (t *thread) pay(bytes int64) error {
	if bytes < bytesOfStep {
		return nil
	}
	if err := t.group.Take(quota.Memory, bytes); err != nil {
		if killed := t.fiber.Checkpoint(); killed != nil {
			err = killed
		}
		return t.check(err)
	}
	t.group.Account().Give(quota.Memory, bytes)
	return t.charge(bytes / bytesOfStep)
}

// extent is how many bytes a value takes, without its parts.
func extent(v gostar.Value) int64 {
	switch v := v.(type) {
	case gostar.String:
		return int64(len(v))
	case gostar.Bytes:
		return int64(len(v))
	case gostar.Int:
		if _, small := v.Int64(); small {
			return 8
		}
		return int64(v.BigInt().BitLen()) / 8
	case *gostar.Dict:
		return entryBytes * int64(v.Len())
	case *gostar.Set:
		return entryBytes * int64(v.Len())
	case gostar.Sequence:
		return elementBytes * int64(v.Len())
	}
	return 8
}

func product(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(max(a, 0)), uint64(max(b, 0)))
	if hi != 0 || lo > most {
		return most
	}
	return int64(lo)
}

// binaryBytes is the work of x op y.
func binaryBytes(op syntax.Token, x, y gostar.Value) int64 {
	switch op {
	case syntax.STAR:
		return productBytes(x, y)
	case syntax.PERCENT:
		if format, ok := x.(gostar.String); ok {
			verbs := int64(strings.Count(string(format), "%"))
			return extent(x) + product(verbs, sizeOf(y).bytes)
		}
	}
	if a, ok := x.(gostar.Int); ok {
		if b, ok := y.(gostar.Int); ok && op != syntax.PLUS {
			return quotientBytes(a, b)
		}
	}
	return extent(x) + extent(y)
}

func productBytes(x, y gostar.Value) int64 {
	if n, ok := x.(gostar.Int); ok {
		if m, ok := y.(gostar.Int); ok {
			return quotientBytes(n, m)
		}
		x, y = y, x
	}
	n, ok := y.(gostar.Int)
	if !ok {
		return 8
	}
	list, sized := x.(gostar.Sequence)
	times, small := n.Int64()
	switch text := x.(type) {
	case gostar.String:
		sized, small = true, small && product(int64(len(text)), times) < refused
	case gostar.Bytes:
		sized, small = true, small && product(int64(len(text)), times) < refused
	default:
		small = small && sized && product(int64(list.Len()), times) < refused
	}
	if !sized || !small {
		return 8
	}
	return product(extent(x), times)
}

// refused is the number of elements from which on the engine refuses to repeat a sequence.
const refused = 1 << 30

// quotientBytes is the work of a product or a quotient: that of the words of one with the words of the other.
func quotientBytes(x, y gostar.Int) int64 {
	a, b := extent(x), extent(y)
	return a + b + product(a/8, b/8)
}

// methodBytes is the work of a method of a type of the engine.
func methodBytes(name string, on gostar.Value, args gostar.Tuple, kwargs []gostar.Tuple) int64 {
	sum := extent(on)
	for _, v := range args {
		sum += extent(v)
	}
	s, isText := on.(gostar.String)
	switch {
	case !isText:
		return sum
	case name == "join" && len(args) == 1:
		return sum + joinBytes(s, args[0])
	case name == "replace" && len(args) >= 2:
		return sum + replaceBytes(s, args[0], args[1])
	case name == "format":
		part := int64(0)
		for _, v := range args {
			part = max(part, sizeOf(v).bytes)
		}
		for _, pair := range kwargs {
			part = max(part, sizeOf(pair[1]).bytes)
		}
		return sum + product(int64(strings.Count(string(s), "{")), part)
	case strings.Contains(name, "split"):
		return sum * elementBytes / 2
	}
	return sum
}

func joinBytes(separator gostar.String, list gostar.Value) (sum int64) {
	parts, ok := list.(gostar.Sequence)
	if !ok {
		return 0
	}
	for v := range gostar.Elements(parts) {
		sum += extent(v) + int64(len(separator))
	}
	return sum
}

func replaceBytes(s gostar.String, from, to gostar.Value) int64 {
	old, _ := gostar.AsString(from)
	times := int64(len(s)) + 1
	if old != "" {
		times = int64(strings.Count(string(s), old))
	}
	return product(times, extent(to))
}

// textBytes is the work of making text of values, or an error if the engine must not do it.
func textBytes(values gostar.Tuple) (sum int64, err error) {
	for _, v := range values {
		var m measure
		s, err := m.shallow(v)
		if err != nil {
			return 0, err
		}
		if sum = min(sum+s.bytes+product(s.parts, elementBytes), most); s.bytes > maxText {
			return 0, fmt.Errorf("the text of a %s has more than %d bytes", v.Type(), maxText)
		}
	}
	return sum, nil
}
