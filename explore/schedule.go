package explore

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
)

// Schedule is the list of the decisions of one run that are not the default. Its text is short, and the
// same on every machine.
type Schedule struct {
	program uint32 // a hash of the program it belongs to; 0 if there is none
	mode    Mode
	steps   []step
}

// Mode is how a guest is watched, as a sum of WatchRaces, WatchAccesses and WatchSteps. It belongs to a schedule, because the
// decisions depend on it.
type Mode uint8

// The parts of a Mode. A host does what they mean; this package only keeps them.
const (
	WatchRaces    Mode = 1 << iota // a run ends at its first data race
	WatchAccesses                  // a fiber can be preempted at each access of memory that others may reach
	WatchSteps                     // the memory that each step accesses is known to DPOR (scheduler.Choices.Touch)
	modes
)

// Mode is the Options.Mode of the search that has found the schedule.
func (s Schedule) Mode() Mode { return s.mode }

// step is one decision: after so many defaults, this option.
type step struct{ defaults, option int }

// scheduleOf makes a schedule of the answers of a run.
func scheduleOf(program uint32, answers []int) Schedule {
	s := Schedule{program: program}
	defaults := 0
	for _, a := range answers {
		if a == 0 {
			defaults++
			continue
		}
		s.steps = append(s.steps, step{defaults, a})
		defaults = 0
	}
	return s
}

// Switches is how many decisions are not the default.
func (s Schedule) Switches() int { return len(s.steps) }

// Hash identifies the text of a program in its schedules.
func Hash(source []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(source)
	return max(h.Sum32(), 1)
}

// Fits returns an error if the schedule belongs to a program with another hash: the decisions would
// mean something else.
func (s Schedule) Fits(program uint32) error {
	if s.program != program && s.program != 0 && program != 0 {
		return fmt.Errorf("explore: the schedule belongs to another program, or to another version of this one (hash %08x, the program's is %08x): explore it again", s.program, program)
	}
	return nil
}

// version is the lower half of the first byte of the text's content; the upper half is the mode.
const (
	version   = 1
	modeShift = 4
)

var text = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// String is the text of a schedule, for ParseSchedule.
func (s Schedule) String() string {
	b := binary.BigEndian.AppendUint32([]byte{version | byte(s.mode)<<modeShift}, s.program)
	for _, p := range s.steps {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.defaults)), uint64(p.option))
	}
	return text.EncodeToString(b)
}

// Limits of what ParseSchedule accepts: a text may come from anywhere.
const (
	maxText    = 1 << 20
	maxAnswers = 1 << 24
)

// ParseSchedule reads the text of a schedule. The error says what is wrong with it.
func ParseSchedule(s string) (Schedule, error) {
	refuse := func(why string) (Schedule, error) {
		return Schedule{}, fmt.Errorf("explore: %.20q is not a schedule: %s; copy it whole from a finding", s, why)
	}
	if len(s) > maxText {
		return refuse("it is too long")
	}
	b, err := text.DecodeString(strings.ToLower(strings.TrimSpace(s)))
	if err != nil {
		return refuse("it has characters other than a-z and 2-7, or a part is missing")
	}
	if len(b) < 5 || b[0]&(1<<modeShift-1) != version || Mode(b[0]>>modeShift) >= modes {
		return refuse("it is of another version")
	}
	out, total := Schedule{program: binary.BigEndian.Uint32(b[1:]), mode: Mode(b[0] >> modeShift)}, uint64(0)
	for b = b[5:]; len(b) > 0; {
		defaults, n := binary.Uvarint(b)
		if n <= 0 {
			return refuse("it is cut off")
		}
		option, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return refuse("it is cut off")
		}
		if total += defaults + 1; defaults > maxAnswers || total > maxAnswers || option == 0 || option > maxAnswers {
			return refuse("it has numbers that no run has")
		}
		out.steps = append(out.steps, step{int(defaults), int(option)})
		b = b[n+m:]
	}
	return out, nil
}
