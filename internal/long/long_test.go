package long

import (
	"flag"
	"testing"
)

func TestTheFlagSetsTheNumberOfCases(t *testing.T) {
	before := flag.Lookup("long").Value.String()
	defer func() { set(t, before) }()
	for _, c := range []struct {
		text     string
		cases    int
		on, deep bool
	}{
		{"0", 3, false, false}, {"false", 3, false, false}, {"", 3, false, false},
		{"true", 7, true, false}, {"1", 7, true, false}, {"9", 63, true, false}, {"10", 70, true, true},
	} {
		set(t, c.text)
		if n := Cases(3, 7); n != c.cases || On(t) != c.on || Deep() != c.deep || Full() != (c.on && !testing.Short()) {
			t.Errorf("-long=%s: %d cases, on %t, full %t, deep %t", c.text, n, On(t), Full(), Deep())
		}
	}
}

func TestANumberOfCasesThatIsNoneIsRefused(t *testing.T) {
	for _, text := range []string{"-1", "many", "1e3", "99999999"} {
		if err := new(factor).Set(text); err == nil {
			t.Errorf("-long=%s is accepted", text)
		}
	}
}

func set(t *testing.T, text string) {
	t.Helper()
	if err := flag.Set("long", text); err != nil {
		t.Fatal(err)
	}
}

func TestTheContextEndsBeforeTheTimeOfTheTestsIsOver(t *testing.T) {
	ctx := Context(t)
	ends, limited := ctx.Deadline()
	over, asked := t.Deadline()
	if limited != asked || asked && !ends.Before(over) || ctx.Err() != nil {
		t.Errorf("it ends at %v (%t), the tests at %v (%t)", ends, limited, over, asked)
	}
}
