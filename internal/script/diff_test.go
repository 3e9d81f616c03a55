package script

import (
	"strings"
	"testing"
)

// The difference of two long texts is found in bounded memory.
func TestTheDifferenceOfLongTextsIsBounded(t *testing.T) {
	long := strings.Split(strings.Repeat("x\n", maxTable), "\n")
	if n := shared(long, long)(0, 0); n != 0 {
		t.Errorf("%d lines counted", n)
	}
	if marked := mark(long[:3000], long[:2000]); len(marked) != 3000 {
		t.Errorf("%d lines", len(marked))
	}
}

func TestOfLongCommonRunsOnlyTheEndsAppear(t *testing.T) {
	for _, c := range []struct{ want, got, diff string }{
		{"1 2 3 4 5 6 7 8 9", "1 2 3 4 X 6 7 8 9", "… 2 3 4 -5 +X 6 7 8 …"},
		{"1 2 3", "1 2 3 4", "1 2 3 +4"},
		{"1 2 3 4 5", "1 2 3 4 5 6", "… 3 4 5 +6"},
		{"1 2 3 4 5 6 7 8 9", "2 3 4 5 6 7 8", "-1 2 3 4 … 6 7 8 -9"},
		{"1 2 3 4 5 6", "1 2 3 4 5 6", "…"},
		{"", "1", "+1"},
	} {
		var b strings.Builder
		Diff(&b, strings.Fields(c.want), strings.Fields(c.got))
		got := strings.NewReplacer("-   ", "-", "+   ", "+").Replace(b.String())
		if got := strings.Join(strings.Fields(got), " "); got != c.diff {
			t.Errorf("%s and %s: %s, want %s", c.want, c.got, got, c.diff)
		}
	}
}
