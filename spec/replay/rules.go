package replay

import "github.com/selvage-dev/selvage/fiber"

// The rules that a transition can break, by their numbers in package fiber.
const (
	i1 fiber.Rule = iota + 1
	i2
	i3
	i4
	i5
	i6
	_
	i8
	i9
	i10
	_
	i12
	i13
)
