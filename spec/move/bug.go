package move

import "github.com/selvage-dev/selvage/spec/graph"

// Bug is a deliberate mistake in the machine; move.pml has the same ones under the same
// numbers.
type Bug uint8

const (
	// NoBug is the machine itself.
	NoBug Bug = iota
	// LivesOn: who moves out lives on where it was, too.
	LivesOn
	// ComesTwice: who was brought in can be brought in again.
	ComesTwice
	// LosesRefused: a fiber that is brought in where there is no room is lost.
	LosesRefused
	// KeepsTicket: the ticket of a fiber that has moved passes for one of the fiber that lives there next.
	KeepsTicket
	// TakesStrays: a ticket wakes the fiber that lives in that slot of another scheduler.
	TakesStrays
	// MovesJoiner: a fiber that waits for the end of another moves, and its wait stays.
	MovesJoiner
	// CompletesEarly: a fiber that waits for the end of a fiber is told when it moves out.
	CompletesEarly
	// EndsInSilence: an end elsewhere is not told.
	EndsInSilence
	// TellsItself: an end elsewhere is told there, and not at home.
	TellsItself
	// ForgetsReturn: home still counts a fiber as absent that has come back.
	ForgetsReturn
	// TellsTwice: an end at home is told to the inbox, too.
	TellsTwice
	// CallsItDeadlock: a fiber that waits for the end of a fiber elsewhere counts for nothing.
	CallsItDeadlock
	// AbandonsInSilence: the end of an abandoned fiber is not reported.
	AbandonsInSilence
	// BringsInFront: a fiber that is brought in goes to the front of the ready queue.
	BringsInFront
	// HearsNothing: a turn does not look into the inbox.
	HearsNothing
	// ForgetsAbsent: an order by its old name makes home forget a fiber.
	ForgetsAbsent
	// CallsItGone: such an order is answered as if the fiber had ended.
	CallsItGone
	// MissesOne: a fiber that is brought in is not counted.
	MissesOne
	// MovesTold: a fiber that was notified of an end moves before it has taken what the cell has for it.
	MovesTold

	lastBug = MovesTold
)

var bugNames = [...]string{"no bug", "lives on", "comes twice", "loses refused", "keeps ticket", "takes strays",
	"moves joiner", "completes early", "ends in silence", "tells itself", "forgets return", "tells twice",
	"calls it deadlock", "abandons in silence", "brings in front", "hears nothing", "forgets absent",
	"calls it gone", "misses one", "moves told"}

// String is the name in words.
func (b Bug) String() string { return bugNames[b] }

// Bugs lists every mistake, without NoBug.
func Bugs() []Bug { return graph.Mistakes(lastBug) }
