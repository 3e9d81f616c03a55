// Package inspect shows a scheduler's state to programs: which fibers there are, what each waits on,
// and which fibers can end that wait, as JSON.
package inspect
