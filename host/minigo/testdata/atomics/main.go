// The functions and types of sync/atomic, and the methods of sync.Map.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func words() {
	var a int32 = 6
	fmt.Println(atomic.AndInt32(&a, 3), atomic.OrInt32(&a, 8), atomic.AddInt32(&a, -1), atomic.SwapInt32(&a, 4), atomic.LoadInt32(&a))
	var b uint64 = 6
	fmt.Println(atomic.AndUint64(&b, 3), atomic.OrUint64(&b, 8), atomic.AddUint64(&b, ^uint64(0)), atomic.CompareAndSwapUint64(&b, 9, 1), b)
	var c uintptr
	fmt.Println(atomic.AddUintptr(&c, 2), atomic.SwapUintptr(&c, 5), atomic.CompareAndSwapUintptr(&c, 2, 3), atomic.LoadUintptr(&c))
	atomic.StoreUintptr(&c, 7)
	var i atomic.Int64
	i.Store(12)
	fmt.Println(i.And(10), i.Or(3), i.Add(1), i.Swap(2), i.CompareAndSwap(2, 3), i.Load())
	var u atomic.Uintptr
	u.Store(12)
	fmt.Println(u.And(10), u.Or(3), u.Add(1), u.Swap(2), u.CompareAndSwap(2, 3), u.Load())
	var flag atomic.Bool
	fmt.Println(flag.Swap(true), flag.CompareAndSwap(true, false), flag.Load())
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func values() {
	var v atomic.Value
	fmt.Println(v.Load(), v.Swap("a"), v.Load(), v.CompareAndSwap("x", "b"), v.CompareAndSwap("a", "b"), v.Load())
	try(func() { v.Store(nil) })
	try(func() { v.Store(1) })
	try(func() { v.Swap(nil) })
	try(func() { v.Swap(1) })
	try(func() { v.CompareAndSwap("b", nil) })
	try(func() { v.CompareAndSwap(1, "c") })
	try(func() { v.CompareAndSwap(1, 2) })
	var empty atomic.Value
	fmt.Println(empty.CompareAndSwap(nil, 1), empty.Load())
}

func maps() {
	var m sync.Map
	fmt.Println(m.Swap("a", 1))
	fmt.Println(m.Swap("a", 2))
	fmt.Println(m.CompareAndSwap("a", 1, 3), m.CompareAndSwap("a", 2, 3), m.CompareAndSwap("b", nil, 3))
	fmt.Println(m.CompareAndDelete("a", 1), m.CompareAndDelete("a", 3), m.CompareAndDelete("a", 3))
	fmt.Println(m.LoadOrStore("c", 4))
	fmt.Println(m.LoadOrStore("c", 5))
	fmt.Println(m.LoadAndDelete("c"))
	m.Store("d", 6)
	m.Delete("e")
	m.Clear()
	m.Range(func(k, v any) bool { panic("not empty") })
	m.Store("f", 7)
	fmt.Println(m.Load("f"))
}

func main() {
	words()
	values()
	maps()
}
