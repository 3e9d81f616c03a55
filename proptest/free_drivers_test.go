package proptest

import "github.com/selvage-dev/selvage/spec"

// pickDrivers is the part of the table for machines whose host chooses the next fiber.
func pickDrivers() []brokenDriver {
	return []brokenDriver{
		{"the head is mounted, not the fiber that was chosen", spec.Pick, next},
		{"no fiber is mounted", spec.Pick, instead(spec.NoAnswer, nothing)},
	}
}
