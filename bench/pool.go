package main

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

// branch is a fiber of P13: the subtree below it.
type branch struct{ depth int }

// tree is the Machine of P13: a branch does its work, and becomes two smaller ones.
type tree struct{ work func() }

func (t tree) Resume(s *scheduler.Scheduler[branch], f *scheduler.Fiber[branch]) fiber.Outcome {
	if t.work != nil {
		t.work()
	}
	if d := f.Data.depth; d > 0 {
		fork(s, branch{d - 1})
		fork(s, branch{d - 1})
	}
	return fiber.Outcome{Kind: fiber.Done}
}

func fork[T any](s *scheduler.Scheduler[T], data T) {
	if _, err := s.Fork(data); err != nil {
		panic(err)
	}
}

// onPool runs a tree in a pool.
func onPool(workers, depth int, work func()) {
	p := mustGet(pool.New(pool.Config[branch]{
		Workers: workers,
		Machine: func(int) scheduler.Machine[branch] { return tree{work} },
	}))
	must(p.Spawn(branch{depth}))
	must(p.Run(context.Background()))
}

// depthOf is the depth of a tree of at most n tasks.
func depthOf(n int) (depth int) {
	for 4<<depth <= n+1 {
		depth++
	}
	return depth
}

// speedUp is P13: a tree of tasks of 290 ns on several workers.
func speedUp(workers int) func(int) time.Duration {
	rounds := calibrate(290 * time.Nanosecond)
	return func(n int) time.Duration {
		before := runtime.GOMAXPROCS(2)
		defer runtime.GOMAXPROCS(before)
		depth := depthOf(n)
		start := time.Now()
		onPool(workers, depth, func() { spin(rounds) })
		return time.Since(start)
	}
}

var spun atomic.Uint64

// spin is work that touches no memory.
func spin(rounds int) {
	x := uint64(rounds)
	for range rounds {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 {
		spun.Add(1)
	}
}

// calibrate returns how many rounds take that long.
func calibrate(d time.Duration) int {
	const many = 1_000_000
	least := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		spin(many)
		least = min(least, time.Since(start))
	}
	return int(many * d / least)
}

// sky is a fiber of skynet: it has ten children, or is a leaf with a number. A parent's sum is
// its children's; the last child to end passes it on.
type sky struct {
	parent *parent
	first  int
	size   int
}

// parent has the sum of its children so far, and in the low bits of the same word how many
// are missing.
type parent struct {
	up   *parent
	owes atomic.Int64
}

const (
	missingBits = 4
	missingMask = 1<<missingBits - 1
)

func (p *parent) add(sum int64) {
	for p != nil {
		owes := p.owes.Add(sum<<missingBits - 1)
		if owes&missingMask > 0 {
			return
		}
		p, sum = p.up, owes>>missingBits
	}
}

// skyActor is the Machine of skynet.
type skyActor struct{}

func (skyActor) Resume(s *scheduler.Scheduler[sky], f *scheduler.Fiber[sky]) fiber.Outcome {
	a := f.Data
	if a.size == 1 {
		a.parent.add(int64(a.first))
		return fiber.Outcome{Kind: fiber.Done}
	}
	p := &parent{up: a.parent}
	p.owes.Store(10)
	for i := range 10 {
		fork(s, sky{p, a.first + i*a.size/10, a.size / 10})
	}
	return fiber.Outcome{Kind: fiber.Done}
}

// skynet is P16: a tree of actors with n leaves, ten to a parent, each a fiber.
func skynet(n int) time.Duration {
	n = powerOfTen(n)
	p := mustGet(pool.New(pool.Config[sky]{Machine: func(int) scheduler.Machine[sky] { return skyActor{} }}))
	total := new(parent)
	total.owes.Store(1)
	start := time.Now()
	must(p.Spawn(sky{total, 0, n}))
	must(p.Run(context.Background()))
	took := time.Since(start)
	checkSkynet(total.owes.Load()>>missingBits, n)
	return took
}

func powerOfTen(n int) int {
	p := 1
	for 10*p <= n {
		p *= 10
	}
	return p
}

func checkSkynet(sum int64, n int) {
	if want := int64(n) * int64(n-1) / 2; sum != want {
		panic("bench: skynet came to the wrong sum")
	}
}

// goSkynet is its peer: a goroutine each, and a channel for each parent.
func goSkynet(n int) time.Duration {
	n = powerOfTen(n)
	start := time.Now()
	result := make(chan int64, 1)
	go goSky(result, 0, n)
	sum := <-result
	took := time.Since(start)
	checkSkynet(sum, n)
	return took
}

func goSky(up chan<- int64, first, size int) {
	if size == 1 {
		up <- int64(first)
		return
	}
	children := make(chan int64, 10)
	for i := range 10 {
		go goSky(children, first+i*size/10, size/10)
	}
	var sum int64
	for range 10 {
		sum += <-children
	}
	up <- sum
}

func poolRows() []row {
	return []row{
		{id: "P13", work: "290 ns tasks, two workers", peer: "one worker", goal: 1.85, n: 1 << 20,
			ours: speedUp(2), theirs: speedUp(1)},
		{id: "P16", work: "skynet, 1M", peer: "goroutines", goal: 25, n: 1_000_000, whole: true, most: 5,
			ours: skynet, theirs: goSkynet},
	}
}
