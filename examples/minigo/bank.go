//go:build ignore

// Transfers between accounts under locks, taken in order so that no deadlock arises; an
// account that has too little is an error, and one that is not there a panic, recovered.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type account struct {
	id int
	sync.Mutex
	balance int
}

var errPoor = errors.New("not enough money")

type bank []*account

func (b bank) transfer(from, to, amount int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("transfer from %d to %d: %v", from, to, r)
		}
	}()
	first, second := b[min(from, to)], b[max(from, to)]
	first.Lock()
	defer first.Unlock()
	second.Lock()
	defer second.Unlock()
	if b[from].balance < amount {
		return fmt.Errorf("account %d: %w", from, errPoor)
	}
	b[from].balance -= amount
	b[to].balance += amount
	return nil
}

func main() {
	var b bank
	for i := range 10 {
		b = append(b, &account{id: i, balance: 1000})
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			if from, to := i%10, (i*7+3)%10; from != to {
				_ = b.transfer(from, to, i)
			}
		})
	}
	wg.Wait()
	total := 0
	for _, a := range b {
		total += a.balance
	}
	fmt.Println("total", total)
	err := b.transfer(0, 1, 1_000_000)
	fmt.Println(err, errors.Is(err, errPoor))
	fmt.Println(b.transfer(3, 11, 1))
}
