package actor

import "testing"

func TestADifferenceWithoutALineOfTheReplayShowsBothSides(t *testing.T) {
	r := &reader{number: 7, text: []byte(`{"turn":0}`)}
	want := "actor: journal, line 7: the replay differs:\n  journal: {\"turn\":0}\n  replay:  nothing"
	if err := r.differs(""); err.Error() != want {
		t.Errorf("%v", err)
	}
}
