// Pipeline is a module that shares work among fibers: each worker is an instance of its
// own. It is built as a library (-buildmode=c-shared), and begins with run.
package main

import "fmt"

//go:wasmimport selvage chan
func newChan(capacity int32) int32

//go:wasmimport selvage send
func send(ch int32, value, timeout int64) int32

//go:wasmimport selvage recv
func recv(ch int32, value *int64, timeout int64) int32

//go:wasmimport selvage close
func closeChan(ch int32) int32

//go:wasmimport selvage sleep
func sleep(nanoseconds int64)

//go:wasmimport selvage now
func now() int64

//go:wasmimport selvage spawn
func spawn(function string, arg int64) int32

//go:wasmimport selvage join
func join(task int32, result *int64, timeout int64) int32

const forever = -1

//go:wasmexport run
func run() {
	jobs, results := newChan(0), newChan(10)
	var workers []int32
	for range 3 {
		workers = append(workers, spawn("worker", int64(jobs)<<32|int64(results)))
	}
	for n := range int64(9) {
		send(jobs, n+1, forever)
	}
	closeChan(jobs)
	total := int64(0)
	for _, w := range workers {
		var done int64
		fmt.Println("join", join(w, &done, forever))
		total += done
	}
	sum, n := int64(0), int64(0)
	for recv(results, &n, 0) == 0 {
		sum += n
	}
	fmt.Println(total, "jobs, sum of squares", sum, "after", now()/1e9, "seconds")
}

// worker squares what comes from one channel, each in a second, into the other.
//
//go:wasmexport worker
func worker(channels int64) int64 {
	jobs, results := int32(channels>>32), int32(channels)
	done := int64(0)
	for n := int64(0); recv(jobs, &n, forever) == 0; done++ {
		sleep(1e9)
		send(results, n*n, forever)
	}
	return done
}

func main() {}
