// Package browsertest tests the page of package inspect in a real browser. It is a module of its own, so that
// the library and its tests need neither a browser nor the packages that drive one.
//
// It builds the command, runs programs with it, and compares what the page shows with the JSON.
// go test -screenshots also writes the pictures of docs/images.
package browsertest
