// Package inspect shows a scheduler's state to programs and people: which fibers there are, what each waits on,
// and which fibers can end that wait, as JSON, and as a page in a browser while the program runs.
//
// A Report is made at once, by the owner of the scheduler. A Handler answers requests of other goroutines: it has the
// owner copy what they need between two slices, and shares the copies among them.
//
// It owns the form of the JSON (docs/inspect.md), the rules by which requests are refused (guard.go), and the page
// (web). What it never does: touch a scheduler on a goroutine that does not own it, change one unless
// Config.Control allows it, or show a guest's values unless Config.Values does.
package inspect
