package graph

// Mistakes lists the known mistakes of a machine, which are numbered from 1 to last; 0 is none.
func Mistakes[B ~uint8](last B) []B {
	all := make([]B, last)
	for i := range all {
		all[i] = B(i + 1)
	}
	return all
}
