// Package kinds is a file of tests, as go test runs it.
package kinds

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	println("before")
	code := m.Run()
	println("after", code)
	os.Exit(code)
}

func TestPasses(t *testing.T) { t.Log("not printed") }

func TestFails(t *testing.T) {
	t.Log("printed")
	t.Errorf("two\n%s", "lines")
	t.Cleanup(func() { println("second cleanup", t.Failed()) })
	t.Cleanup(func() { println("first cleanup") })
	defer println("deferred")
	t.FailNow()
	println("not reached")
}

func TestSkips(t *testing.T) {
	defer func() { println(t.Skipped(), t.Failed()) }()
	t.Skip("why")
}

func helper(t testing.TB) {
	t.Helper()
	t.Fatal("of", t.Name())
}

func TestSubtests(t *testing.T) {
	println(t.Run("a name", func(t *testing.T) {
		t.Run("inner", func(t *testing.T) { helper(t) })
	}))
	println(t.Run("fine", func(t *testing.T) {}))
	t.Log("its own")
}

func TestParallel(t *testing.T) {
	order := make(chan int)
	for i := range 3 {
		t.Run("p", func(t *testing.T) {
			println("begins", i)
			t.Parallel()
			if i < 2 {
				order <- i
			} else {
				println("together", <-order+<-order)
			}
		})
	}
	println("released")
	t.Cleanup(func() { println("cleanup of the parent") })
}
