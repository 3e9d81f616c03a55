// A panic that goes on with what was recovered is written once. Found by random programs.
package main

func again() {
	defer func() { panic(recover()) }()
	panic("first")
}

func main() {
	defer func() {
		recover()
		panic("second")
	}()
	again()
}
