package fiber_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

func ExampleRule() {
	const i8 = fiber.Rule(8) // errors carry it, for example (*scheduler.ContractError).Rule
	fmt.Println(i8)
	fmt.Println(i8.Text())
	// Output:
	// I8
	// Only a regular fiber waits for an I/O token, and only for its own; a trampoline waits on a completion cell, and its root fiber owns the token.
}
