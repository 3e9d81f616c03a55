package explore

import "github.com/selvage-dev/selvage/scheduler"

// Strategy decides which schedules a search runs. Random, PCT, Depth, DPOR and Replay make one.
type Strategy interface {
	// Begin prepares the next run. It returns false if the strategy has run all it covers.
	Begin() bool
	// Choose answers one decision of the run: 0 to Options-1.
	Choose(c scheduler.Choice) int
	// Complete says what the strategy has covered after Begin has returned false, such as "all
	// schedules"; "" if it cannot cover all.
	Complete() string
}

// follower is a Strategy that looks at what the steps of its runs do.
type follower interface{ follow() *steps }

// recorder writes down the answers of a strategy.
type recorder struct {
	choose  func(scheduler.Choice) int
	steps   *steps
	answers []int
	options []int
	shown   bool // Ending.Steps is asked for
}

func (r *recorder) answer(c scheduler.Choice) int {
	i := r.choose(c)
	r.answers, r.options = append(r.answers, i), append(r.options, c.Options)
	return i
}
