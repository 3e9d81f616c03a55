// Package ioutil is what minigo has of Go's.
package ioutil

import "io"

var Discard = io.Discard

func ReadAll(r io.Reader) ([]byte, error) { return io.ReadAll(r) }
func NopCloser(r io.Reader) io.ReadCloser { return io.NopCloser(r) }
