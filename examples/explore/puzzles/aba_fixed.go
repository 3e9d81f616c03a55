//go:build ignore

// The repaired ABA: the top has a version, which each exchange increases.
package main

import "sync/atomic"

// The nodes are 1 and 2; 0 is the end. The upper bits of the top are its version.
var (
	top  atomic.Int32
	next [3]atomic.Int32
)

func node(top int32) int32 { return top & 3 }

func exchange(old, new int32) bool { return top.CompareAndSwap(old, old&^3+4|new) }

func push(n int32) {
	for {
		old := top.Load()
		next[n].Store(node(old))
		if exchange(old, n) {
			return
		}
	}
}

func pop() int32 {
	for {
		old := top.Load()
		n := node(old)
		if n == 0 || exchange(old, next[n].Load()) {
			return n
		}
	}
}

func main() {
	push(2)
	push(1)
	popped := make(chan int32)
	go func() { popped <- pop() }()
	a, b := pop(), pop()
	if a != 0 {
		push(a)
	}
	if c := <-popped; b != 0 && pop() == b || b != 0 && c == b {
		panic("a node was taken twice")
	}
}
