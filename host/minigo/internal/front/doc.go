// Package front reads minigo programs: it parses them, has go/types check them against
// the part of the standard library that minigo has, and refuses by name, with file and
// line, what is outside the subset.
//
// The standard library a program can import is Go source too (package lib): declarations
// of exactly what is supported, so that the type checker itself refuses the rest, and
// bodies in the subset where that is the simplest implementation. A function without a
// body is native.
//
// What it never does: read a file, or run anything.
package front
