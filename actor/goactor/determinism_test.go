package goactor_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/stackful"
)

// commandsOfAChat are those of a whole chat, in their order.
func commandsOfAChat(t *testing.T) (log []string) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	sys := chat(rt)
	sys.Use(func(c *actor.Command[line]) actor.Ruling {
		log = append(log, fmt.Sprint(rt.Scheduler().Now(), c.Op, c.From, c.To, c.Msg, c.Cause))
		return actor.Pass
	})
	for _, err := range sys.All(t.Context()) {
		if err != nil {
			break
		}
	}
	return log
}

// The fibers of asynchronous actors, their clocks and their selects included.
func TestTheSameInputsGiveTheSameCommandsInTheSameOrder(t *testing.T) {
	first := commandsOfAChat(t)
	if len(first) < 20 {
		t.Fatalf("only %d commands", len(first))
	}
	for range 20 {
		if again := commandsOfAChat(t); !slices.Equal(first, again) {
			t.Fatalf("first\n%q\nthen\n%q", first, again)
		}
	}
}
