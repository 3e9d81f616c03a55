// Package opqueue keeps the asynchronous operations that fibers have submitted. Its types
// for devices and hosts are in package ioqueue.
//
// The table it owns: one slot per token, each in exactly one phase,
//
//	           Submit                Take, or the owner dies
//	free ───────────────▶ in flight ──Complete──▶ done ─────▶ free
//	                       │   ▲ │                 ▲ (early)
//	                 Await │   │ │ Abandon         │
//	                       ▼   │ ▼                 │
//	                     awaited ──Complete──▶ ready (ticket to deliver)
//	                           │ Abandon, or the owner dies
//	                           ▼
//	                        orphan ──Complete──▶ free (late, counted)
//
// one list of tokens per owner, and one line of the fibers that wait for a slot (Room).
// Every submitted token ends exactly once (I12): Submitted = Completed + Late + Outstanding.
//
// What it never does: I/O, start a goroutine, read a clock, wake a fiber. A device performs
// the operations and reports completions; the scheduler delivers the tickets that this
// package returns. Neither is trusted to complete a token once, in time or at all, so a
// completion that does not fit is counted and changes nothing.
//
// Who uses it: package scheduler owns a Queue and is the only caller of its methods.
package opqueue
