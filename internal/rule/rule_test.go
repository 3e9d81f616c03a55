package rule

import "testing"

func TestACitationNamesTheRuleAndWhereToReadAboutIt(t *testing.T) {
	for r, want := range map[string]string{
		Cite(I8):       "rule I8 (docs/invariants.md#i8)",
		Cite(OneOwner): "rule ONE-OWNER (docs/invariants.md#one-owner)",
	} {
		if r != want {
			t.Errorf("%q, want %q", r, want)
		}
	}
}
