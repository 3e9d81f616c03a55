package stackful

import "github.com/selvage-dev/selvage/fiber"

// point is a point of an explored run at which other fibers may run first, before a call on an object,
// if there is one.
func (f *Fiber) point(src fiber.Source) {
	if f.suspendable() == nil && f.rt.sched.Choices().Point() {
		f.suspend(fiber.Outcome{Kind: fiber.TimesliceExpired})
	}
	if src != nil {
		f.touch(src)
	}
}

// touch tells an explored run that the step of the fiber uses an object; nil is all objects.
func (f *Fiber) touch(object any) { f.rt.sched.Choices().Touch(object) }

// touchAll is touch of everything, for a call whose effects are not listed.
func (f *Fiber) touchAll() {
	if f.rt.explored {
		f.touch(nil)
	}
}
