package script

import "strings"

// maxTable bounds the memory of one comparison; beyond it, nothing counts as common.
const maxTable = 1 << 22

// context is how many common lines are shown around a difference.
const context = 3

// Diff writes the lines of both texts in order, marked as missing, too many or common,
// with as many common ones as there can be. Of long common runs only the ends appear.
func Diff(b *strings.Builder, want, got []string) {
	marked := mark(want, got)
	near := make([]bool, len(marked))
	for i, s := range marked {
		if s[0] == ' ' {
			continue
		}
		for j := max(0, i-context); j < min(len(marked), i+context+1); j++ {
			near[j] = true
		}
	}
	for i, s := range marked {
		switch {
		case near[i]:
			b.WriteString(s + "\n")
		case i == 0 || near[i-1]:
			b.WriteString("    …\n")
		}
	}
}

// mark puts a minus, a plus or a blank in front of the lines of both texts.
func mark(want, got []string) (marked []string) {
	common := shared(want, got)
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			marked = append(marked, "    "+want[i])
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && common(i+1, j) >= common(i, j+1):
			marked = append(marked, "-   "+want[i])
			i++
		default:
			marked = append(marked, "+   "+got[j])
			j++
		}
	}
	return marked
}

// shared gives how many lines want[i:] and got[j:] can share.
func shared(want, got []string) func(i, j int) int {
	if len(want)*len(got) > maxTable {
		return func(int, int) int { return 0 }
	}
	width := len(got) + 1
	table := make([]int32, (len(want)+1)*width)
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			at := i*width + j
			if want[i] == got[j] {
				table[at] = table[at+width+1] + 1
			} else {
				table[at] = max(table[at+width], table[at+1])
			}
		}
	}
	return func(i, j int) int { return int(table[i*width+j]) }
}
