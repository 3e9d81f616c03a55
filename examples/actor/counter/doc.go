// Program counter is a counter that begins anew when it is sent nonsense, and its supervisor,
// which says so.
//
//	go run ./examples/actor/counter
package main
