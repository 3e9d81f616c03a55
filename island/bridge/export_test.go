package bridge

import "github.com/selvage-dev/selvage/fiber"

// What the external tests of this package need to see.

const DefaultTimeout = defaultTimeout

// Next is when the bridge wants to be served.
func (b *Bridge) Next() fiber.Time { return (*attached)(b).Next() }
