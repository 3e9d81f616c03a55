//go:build ignore

// The repaired double-checked lock: the library's Once.
package main

import "sync"

type config struct{ name string }

var (
	once     sync.Once
	instance *config
)

func get() *config {
	once.Do(func() {
		instance = &config{name: "default"}
	})
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
