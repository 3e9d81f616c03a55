package actor_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/wait"
)

// A replayed system has the clock of its journal. Driven by its scheduler, it would wait without
// end for a restart that is due later than the last line.
func TestASystemThatAPlayerRunsIsDrivenByNothingElse(t *testing.T) {
	text := journalOf(t, dice(6), "a")
	for _, when := range []string{"before Play", "after Play"} {
		sys := dice(6)
		p, err := actor.NewPlayer(sys, strings.NewReader(text), actor.JSON[string](), nil)
		if err != nil {
			t.Fatal(err)
		}
		if when == "after Play" {
			if err := p.Play(); err != nil {
				t.Fatal(err)
			}
		}
		for call, drive := range map[string]func(){
			"Turn": func() { sys.Turn() },
			"Next": func() {
				for err := error(nil); err == nil; _, err = sys.Next(context.Background()) { // what was put out is read first
				}
			},
			"All": func() { sys.All(context.Background())(func(string, error) bool { return true }) },
		} {
			var broken *wait.ContractError
			if err, _ := panicOf(drive).(error); !errors.As(err, &broken) || broken.Rule != rule.CallOrder {
				t.Errorf("%s %s: %v", call, when, err)
			}
		}
		if when == "before Play" {
			if err := p.Play(); err != nil {
				t.Errorf("a refused call changed the replay: %v", err)
			}
		}
	}
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
