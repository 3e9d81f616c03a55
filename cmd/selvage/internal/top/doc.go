// Package top shows a running program in a terminal, as top shows processes: the head with the counts and rates, the list
// of fibers, one fiber, the wait-for graph, and the islands. Once prints one frame as plain text instead.
//
// The model draws and takes keys, on the goroutine of Bubble Tea, and asks the inspector for nothing itself: it tells the
// loader what the screen needs. Texts of the program are drawn through client.Printable only.
package top
