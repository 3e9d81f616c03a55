//go:build ignore

// A pool of workers: jobs go in through one channel, results come out of another.
package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

type result struct {
	word  string
	count int
}

func work(jobs <-chan string, results chan<- result, wg *sync.WaitGroup) {
	defer wg.Done()
	for text := range jobs {
		words := strings.Fields(text)
		results <- result{words[0], len(words)}
	}
}

func main() {
	lines := []string{"one line", "another line here", "the last of the lines", "no", "really the last one"}
	jobs, results := make(chan string), make(chan result)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go work(jobs, results, &wg)
	}
	go func() {
		for _, line := range lines {
			jobs <- line
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	var all []result
	for r := range results {
		all = append(all, r)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].word < all[j].word })
	for _, r := range all {
		fmt.Printf("%-8s %d\n", r.word, r.count)
	}
}
