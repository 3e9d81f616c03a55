// Command bench measures Selvage beside its peers: every row in one process, ours and
// the peer's in turn, so that a noisy machine slows both. It prints the medians, their
// spread and the ratio, which is the only figure to quote.
//
//	go run ./bench            every row
//	go run ./bench -short     every row, quickly
//	go run ./bench -run P0    rows whose id, work or peer matches
//	go run ./bench -json      one object a line
//	go run ./bench -peers     beside Lua, LuaJIT, Erlang and tokio too (make peers)
//	go run ./bench -peers -document docs   docs/performance.md and its plot
//
// It is compiled with default.pgo, a profile of itself, as a program whose speed matters
// is (-pgo=off measures without). The peers are in the same binary. To make it anew:
//
//	go run -pgo=off ./bench -run '^P(01|03|05|06|11|12|14|15|18|20)$' -cpuprofile new.pgo
//	go tool pprof -proto bench/default.pgo new.pgo > merged.pgo && mv merged.pgo bench/default.pgo
//
// A profile of one run alone may miss that a call is hot: merged with the one before, it has all.
//
// It ends with status 1 if a row misses its goal by more than its noise margin.
package main
