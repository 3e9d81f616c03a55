// Program pool is a pool of two workers, on virtual time. One that breaks down over an order is
// back after a second, and takes the next as if nothing had happened.
//
//	go run ./examples/actor/pool
package main
