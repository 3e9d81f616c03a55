//go:build !race

package lua_test

const raced = false
