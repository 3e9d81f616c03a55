//go:build ignore

// The repaired bank transfer: the account with the lower number is locked first.
package main

import "sync"

type account struct {
	sync.Mutex
	number, balance int
}

func transfer(from, to *account, amount int) {
	first, second := from, to
	if second.number < first.number {
		first, second = second, first
	}
	first.Lock()
	defer first.Unlock()
	second.Lock()
	defer second.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	a, b := &account{number: 1, balance: 100}, &account{number: 2, balance: 100}
	var wg sync.WaitGroup
	wg.Go(func() { transfer(a, b, 10) })
	wg.Go(func() { transfer(b, a, 20) })
	wg.Wait()
}
