//go:build ignore

// Double-checked lock: the first look at the variable is made without the lock. Nothing orders it with the
// assignment: the object may be seen before its fields are.
// Finding: race, with --races
package main

import "sync"

type config struct{ name string }

var (
	mu       sync.Mutex
	once     sync.Once
	instance *config
)

func get() *config {
	if instance == nil {
		mu.Lock()
		defer mu.Unlock()
		if instance == nil {
			instance = &config{name: "default"}
		}
	}
	return instance
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if get().name == "" {
				panic("the object is not complete")
			}
		})
	}
	wg.Wait()
}
