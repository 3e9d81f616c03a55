//go:build ignore

// Bank transfer: each transfer locks the account that it takes from, and then the other one. Two transfers in
// opposite directions wait for each other.
// Finding: deadlock
package main

import "sync"

type account struct {
	sync.Mutex
	number, balance int
}

func transfer(from, to *account, amount int) {
	first, second := from, to
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
