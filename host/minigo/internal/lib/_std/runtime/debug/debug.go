// Package debug is what minigo has of Go's: nothing of it has an effect.
package debug

func Stack() []byte                 { return nil }
func PrintStack()                   {}
func FreeOSMemory()                 {}
func SetGCPercent(percent int) int  { return 100 }
func SetMaxThreads(threads int) int { return 10000 }
func SetMaxStack(bytes int) int     { return 1000000000 }
