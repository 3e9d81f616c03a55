//go:build ignore

// The repaired cockroach13197: a transaction that fails is rolled back.
package kernel

import (
	"context"
	"errors"
	"testing"
)

type tx struct {
	ctx context.Context
	end context.CancelFunc
}

func begin(ctx context.Context) *tx {
	t := &tx{}
	t.ctx, t.end = context.WithCancel(ctx)
	go func() { <-t.ctx.Done() }()
	return t
}

func transfer(ctx context.Context, amount int) error {
	t := begin(ctx)
	defer t.end()
	if amount < 0 {
		return errors.New("a negative amount")
	}
	return nil
}

// TestAStatementFails carries out two transactions, of which the second one fails.
func TestAStatementFails(t *testing.T) {
	for _, amount := range []int{1, -1} {
		if err := transfer(context.Background(), amount); (err != nil) != (amount < 0) {
			t.Error(err)
		}
	}
}
