//go:build race

package lua_test

// raced: under the race detector, which is slow, a few budgets stand for all.
const raced = true
