//go:build ignore

// Waiting no longer than one wants: contexts, timers and a ticker.
package main

import (
	"context"
	"fmt"
	"time"
)

func answer(ctx context.Context, after time.Duration) (string, error) {
	select {
	case <-time.After(after):
		return "an answer", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	fmt.Println(answer(ctx, 10*time.Millisecond))
	fmt.Println(answer(ctx, time.Hour))

	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	alarm := time.NewTimer(350 * time.Millisecond)
	for n := 1; ; n++ {
		select {
		case <-tick.C:
			fmt.Println("tick", n)
		case <-alarm.C:
			fmt.Println("ring")
			return
		}
	}
}
