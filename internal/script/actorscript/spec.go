package actorscript

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/internal/script"
)

// spec is what an actor is made of: words are a role and settings, each of one or two words.
func (w *world) spec(name string, words []string) (actor.Spec[string], error) {
	s := actor.Spec[string]{New: w.puppet}
	for i := 0; i < len(words); i++ {
		word := words[i]
		argument := ""
		if i+1 < len(words) {
			argument = words[i+1]
		}
		takes, err := set(&s, word, argument)
		if err != nil {
			return s, err
		}
		if takes < 0 {
			if err := w.setRole(&s, word); err != nil {
				return s, err
			}
			takes = 0
		}
		i += takes
	}
	s.Name = name
	return s, nil
}

// set changes one setting, and returns how many words it takes behind the first: -1 if the word
// is no setting.
func set(s *actor.Spec[string], word, argument string) (takes int, err error) {
	number := func(to *int) (int, error) {
		n, err := strconv.Atoi(argument)
		if err != nil || n < 1 || n > 1000 {
			return 0, fmt.Errorf("%s wants a number from 1 to 1000", word)
		}
		*to = n
		return 1, nil
	}
	length := func(to *time.Duration) (int, error) {
		d, err := time.ParseDuration(argument)
		if err != nil || d < 0 {
			return 0, fmt.Errorf("%s wants a length of time, as 1.5s", word)
		}
		*to = d
		return 1, nil
	}
	switch word {
	case "inbox":
		return number(&s.Inbox)
	case "restarts":
		return number(&s.Supervise.MaxRestarts)
	case "within":
		return length(&s.Supervise.Within)
	case "backoff":
		return length(&s.Supervise.Backoff)
	case "reject", "drop-oldest", "block":
		s.Full = map[string]actor.Policy{"reject": actor.Reject, "drop-oldest": actor.DropOldest, "block": actor.BlockSender}[word]
	case "isolate", "one-for-one", "all-for-one":
		s.Supervise.Strategy = map[string]actor.Strategy{"isolate": actor.Isolate, "one-for-one": actor.OneForOne, "all-for-one": actor.AllForOne}[word]
	default:
		return -1, nil
	}
	return 0, nil
}

// setRole gives the actor a role, with its words in the same pair of quotes.
func (w *world) setRole(s *actor.Spec[string], text string) error {
	words, err := script.Split(text)
	if err != nil || len(words) == 0 {
		return fmt.Errorf("%w: %q", errNoRole, text)
	}
	switch role := w.roles[words[0]]; {
	case role != nil:
		made := role(w.rt, words[1:])
		s.New, s.Start = made.New, made.Start
		if s.Inbox == 0 {
			s.Inbox = made.Inbox
		}
		if s.Full == actor.Reject {
			s.Full = made.Full
		}
		if s.Supervise == (actor.Supervision{}) {
			s.Supervise = made.Supervise
		}
	case words[0] == "puppet":
		s.New, s.Start = w.puppet, nil
	case words[0] == "async":
		s.New, s.Start = nil, w.asyncPuppet()
	default:
		roles := slices.AppendSeq([]string{"puppet", "async"}, maps.Keys(w.roles))
		return fmt.Errorf("%w: %q%s", errNoRole, words[0], didYouMean(words[0], roles))
	}
	return nil
}
