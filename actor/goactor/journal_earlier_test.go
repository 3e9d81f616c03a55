package goactor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/actor/goactor"
)

// earlier is a journal in which a message that was assigned to a killed actor became a dead letter
// when its fiber had unwound, after the command that killed the actor.
const earlier = `{"journal":"selvage actors","version":1,"seed":0}
{"in":"spawn","from":"outside","to":"a2.1","name":"reader"}
{"turn":0}
{"do":"spawn","from":"outside","to":"a1.1","name":"root"}
{"do":"spawn","from":"outside","to":"a2.1","name":"reader"}
{"in":"start","actor":"a2.1"}
{"in":"send","from":"outside","to":"a2.1","msg":"assigned"}
{"in":"kill","from":"outside","to":"a2.1"}
{"turn":0}
{"do":"send","from":"outside","to":"a2.1","msg":"assigned"}
{"do":"kill","from":"outside","to":"a2.1"}
{"in":"read","actor":"a2.1","n":1}
{"in":"lost","actor":"a2.1","msg":"assigned"}
{"in":"send","from":"outside","to":"a1.1","msg":"late"}
{"turn":0}
{"do":"send","from":"outside","to":"a1.1","msg":"late"}
{"do":"send","from":"outside","to":"a1.1","msg":"dead: assigned"}
{"end":16,"sum":1958807685}
`

// complain makes a system whose dead letters are reported to its root.
func complain(t *testing.T) (st *stage, specs func(string) (spec, error)) {
	st = newStage(t, nothing)
	var err error
	st.System, err = goactor.New(st.rt, spec{Name: "root", New: actor.Stateless(nothing)}, actor.Options[string]{
		DeadLetter: func(l actor.DeadLetter[string]) { _ = st.Outside().Send(st.Input(), "dead: "+l.Msg) },
	})
	require.NoError(t, err)
	return st, func(name string) (spec, error) { return st.spec(name, upper), nil }
}

func TestAnEarlierJournalReplaysWithTheDeadLettersWhereTheyWere(t *testing.T) {
	st, specs := complain(t)
	p, err := actor.NewPlayer(st.System, strings.NewReader(earlier), actor.JSON[string](), specs)
	require.NoError(t, err)
	require.NoError(t, p.Play())
	require.Equal(t, actor.Stats{Sent: 3, Delivered: 2, Dead: 1}, st.Stats())
}

func TestAMessageThatIsUnseenWithoutAnEndIsNoLineOfAJournal(t *testing.T) {
	st, specs := complain(t)
	text := strings.Replace(earlier, `"in":"lost"`, `"in":"unseen"`, 1)
	text = strings.Replace(text, `"do":"kill"`, `"do":"kill","blocked":true`, 1)
	p, err := actor.NewPlayer(st.System, strings.NewReader(text), actor.JSON[string](), specs)
	require.NoError(t, err)
	var wrong *actor.JournalError
	require.True(t, errors.As(p.Play(), &wrong))
}
