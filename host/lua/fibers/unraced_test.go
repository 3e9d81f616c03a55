//go:build !race

package fibers

const raced = false
