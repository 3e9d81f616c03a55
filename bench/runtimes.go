package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/selvage-dev/selvage/bench/peers"
)

// sharedWork is work that other runtimes also do, with its name there.
type sharedWork struct {
	name  string
	kinds []string // which of those that can do it; nil: all
	row   row
}

// sharedWorks have as ours the work of the rows they are named after.
func sharedWorks() []sharedWork {
	lua := []string{"Lua 5.4", "LuaJIT"}
	return append([]sharedWork{
		{"yield-8", nil, row{id: "P01", work: "next+yield, 8 fibers", n: 800_000, ours: nextYield(8)}},
		{"yield-1000", nil, row{id: "P01", work: "next+yield, 1000 fibers", n: 800_000, ours: nextYield(1000)}},
		{"ping-pong", nil, row{id: "P14", work: "ping-pong, one way", n: 400_000, ours: ring(2)}},
		{"ring-503", nil, row{id: "P15", work: "ring of 503, a hop", n: 400_000, ours: ring(503)}},
		{"skynet", nil, row{id: "P16", work: "skynet, 1M", n: million, whole: true, most: 3, ours: skynet}},
		{"spawn-join", nil, row{id: "P17", work: "spawn 1M and join", n: million, whole: true, most: 3, ours: spawnAndJoin}},
		{"mutex", nil, row{id: "P20", work: "mutex hand-off, 100 fibers", n: 400_000, ours: handOff(100)}},
		{"yield-8", lua, row{id: "P22", work: "Lua fiber.yield, 8 fibers", n: 80_000, ours: onFiber("yield")}},
	}, processorWorks()...)
}

// runtimeRows are the shared works beside every runtime that is installed. Those that are
// not are named.
func runtimeRows() (rows []row) {
	dir := peersFolder()
	started := map[string]*peers.Peer{}
	for _, k := range peers.All() {
		peer, err := k.Start(context.Background(), dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", k.Name, err)
			continue
		}
		started[k.Name] = peer
	}
	for _, w := range sharedWorks() {
		for _, k := range peers.All() {
			can := slices.Contains(k.Works, w.name) && (w.kinds == nil || slices.Contains(w.kinds, k.Name))
			if peer := started[k.Name]; peer != nil && can {
				rows = append(rows, w.beside(peer))
			}
		}
	}
	return rows
}

// peersFolder is where compiled peers are kept for the next run.
func peersFolder() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return scratch()
	}
	return filepath.Join(cache, "selvage-bench-peers")
}

// patience is how long a peer may take for one sample.
const patience = 3 * time.Minute

// beside is the row of the work beside a peer. A peer that has failed is not run again.
func (w sharedWork) beside(peer *peers.Peer) row {
	var failure error
	r := w.row
	r.peer, r.runtime = peer.Version, true
	r.failed = func() error { return failure }
	r.theirs = func(n int) time.Duration {
		if failure != nil {
			return 1
		}
		if w.name == "skynet" {
			n = powerOfTen(n)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		m, err := peer.Measure(ctx, w.name, n)
		failure = err
		return max(m.Took(), 1)
	}
	return r
}
