package script

import "github.com/selvage-dev/selvage/scheduler"

func cmdNew(w *world, a *args) {
	var cfg scheduler.Config
	for a.more() {
		switch option := a.word("an option"); option {
		case "max-fibers":
			cfg.MaxFibers = a.number(option)
		case "max-trampolines":
			cfg.MaxTrampolines = a.number(option)
		case "max-tokens":
			cfg.MaxTokens = a.number(option)
		case "max-nesting":
			cfg.MaxNesting = a.number(option)
		case "grace":
			cfg.Grace = a.duration()
		case "seed":
			cfg.Seed = uint64(a.number(option))
		case "number":
			cfg.Number = uint16(a.number(option))
		default:
			a.misuse("%q is no option", option)
		}
	}
	if !a.done() {
		return
	}
	w.begin(cfg)
	w.say("new: scheduler %d", w.s.Inspect().Number())
}
