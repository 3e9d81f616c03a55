// Command bench measures Selvage beside its peers: every row in one process, ours and
// the peer's in turn, so that a noisy machine slows both. It prints the medians, their
// spread and the ratio, which is the only figure to quote.
//
//	go run ./bench            every row
//	go run ./bench -short     every row, quickly
//	go run ./bench -run P0    rows whose id matches
//	go run ./bench -json      one object a line
//
// It ends with status 1 if a row misses its goal by more than its noise margin.
package main
