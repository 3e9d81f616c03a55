// Which known mistake the machine makes: none. check.sh proves the theorems with this file; for
// a row "unproof FILE n LEMMA" it puts another number here, and wants the lemma to fail. The
// numbers are those of scheduler.pml, 101: a wait gets a number that was given out before, and
// 102: more calls are let in than can be pinned.
const Bug: nat := 0
