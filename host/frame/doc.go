// Package frame is what the hosts of guest languages say about the call stack of a fiber: one Frame for
// each call, with the place it has reached and, if they were asked for, its variables as short text.
//
// What it never does: know a language, keep a value of a guest, or read a source file.
package frame
