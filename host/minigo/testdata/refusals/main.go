// What the library does with what it cannot do.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, text := r.(string)
		fmt.Println(name, text, r)
	}()
	f()
}

type key struct{ a, b any }

func main() {
	try("repeat", func() { strings.Repeat("x", -1) })
	try("grow", func() { new(strings.Builder).Grow(-1) })
	try("base", func() { strconv.FormatInt(1, 1) })
	try("unsigned base", func() { strconv.FormatUint(1, 37) })
	try("bits", func() { strconv.FormatFloat(1, 'f', 1, 16) })
	try("shuffle", func() { rand.Shuffle(-1, nil) })
	try("no key", func() { context.WithValue(context.Background(), []int{}, 1) })
	try("no target", func() { var p *int; errors.As(errors.New("e"), &p) })
	var v atomic.Value
	v.Store("text")
	try("another type", func() { v.Store(1) })
	once := sync.OnceFunc(func() { fmt.Println("once"); panic("failed") })
	try("first", once)
	try("second", once)
	fmt.Println(strings.SplitN("a,b", ",", 0) == nil, strings.Split("", ",") == nil)
	nan, inf := math.NaN(), math.Inf(1)
	fmt.Println(math.Max(nan, inf), math.Max(inf, nan), math.Min(nan, -inf), math.Min(-inf, nan), math.Max(nan, 1), math.Max(-inf, inf))
	fmt.Println(map[key]int{{2, "b"}: 1, {1, "b"}: 2, {1, nil}: 3, {1, "a"}: 4}, map[[2]string]bool{{"b", "a"}: true, {"a", "b"}: false}, map[any]int{3: 1, 1: 2, 2: 3})
	defer func() { panic("a line\ngoroutine 1 [running]:") }()
	panic(fmt.Errorf("of two\nlines"))
}
