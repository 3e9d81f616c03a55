package replay

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Version is the version of the format. This package reads version 1 too, whose lines have
// other names for three ops and for the answer about a fiber that has ended.
const Version = 2

// opsOfVersion1 maps the names that version 1 has for an op to the present ones.
var opsOfVersion1 = map[string]string{
	"giveway": "yield-pinned", "condemn": "fail-pinned", "desert": "abort-pump",
}

// header is the first line.
type header struct {
	Trace   string `json:"trace"`
	Version int    `json:"version"`
	// Scheduler is the number that its tickets have.
	Scheduler uint16 `json:"scheduler"`
	// Grace: a cancelled fiber that does not unwind in time is killed.
	Grace bool `json:"grace"`
	// Free: the next fiber is any that is ready, as scheduler.Config.Choose has decided.
	Free bool `json:"free"`
}

// record is any other line. Which fields an op has, and must have, is in shapes.
type record struct {
	Op       string      `json:"op"`
	Fiber    string      `json:"f"`
	Wait     uint64      `json:"wait"`
	Home     *uint16     `json:"home"`
	On       string      `json:"on"`
	Token    uint64      `json:"token"`
	By       *fiber.Time `json:"by"`
	Grace    bool        `json:"grace"`
	Frames   bool        `json:"frames"`
	Front    bool        `json:"front"`
	Nests    bool        `json:"nests"`
	Movable  bool        `json:"movable"`
	External bool        `json:"external"`
	Masks    uint16      `json:"masks"`
	Says     string      `json:"says"`
	Count    uint64      `json:"count"`
	Sum      uint32      `json:"sum"`

	id fiber.ID // Fiber, parsed
}

// field is a set of the fields of a record.
type field uint16

const (
	hasFiber field = 1 << iota
	hasWait
	hasHome
	hasOn
	hasToken
	hasBy
	hasGrace
	hasSpawnFlags
	hasSays
	hasExternal
	hasMasks
	hasEnd
)

// shape is the fields that the records of an op must have, and those they may have.
type shape struct{ must, may field }

var shapes = map[string]shape{
	"spawn":        {hasFiber, hasSpawnFlags},
	"schedule":     {hasFiber, 0},
	"reap":         {hasFiber, 0},
	"yield":        {hasFiber, 0},
	"arm":          {hasFiber | hasWait | hasOn, hasToken | hasBy | hasExternal | hasSays},
	"disarm":       {hasFiber, 0},
	"block":        {hasFiber | hasSays, 0},
	"wake":         {hasFiber, 0},
	"deliver":      {hasFiber | hasWait | hasSays, hasHome},
	"submit":       {hasFiber | hasToken, 0},
	"attach":       {hasToken, 0},
	"complete":     {hasToken | hasSays, 0},
	"deadline":     {hasFiber, hasGrace},
	"cancel":       {hasFiber, hasBy | hasSays},
	"interrupted":  {hasFiber | hasSays, 0},
	"kill":         {hasFiber, hasSays},
	"mask":         {hasFiber, 0},
	"unmask":       {hasFiber, 0},
	"exit":         {hasFiber, 0},
	"acquire":      {hasFiber, 0},
	"release":      {hasFiber, 0},
	"yield-pinned": {hasFiber, 0},
	"unpin":        {hasFiber, 0},
	"fail-pinned":  {hasFiber | hasSays, 0},
	"abort-pump":   {hasFiber, 0},
	"lend":         {hasFiber | hasSays, 0},
	"hold":         {hasFiber, 0},
	"resume":       {hasFiber, 0},
	"move":         {hasFiber | hasSays, hasMasks},
	"panic":        {hasFiber | hasSays, 0},
	"end":          {hasEnd, 0},
}

// fields is what the record has.
func (r *record) fields() field {
	var has field
	for _, f := range [...]struct {
		bit field
		is  bool
	}{
		{hasFiber, r.Fiber != ""},
		{hasWait, r.Wait != 0},
		{hasHome, r.Home != nil},
		{hasOn, r.On != ""},
		{hasToken, r.Token != 0},
		{hasBy, r.By != nil},
		{hasGrace, r.Grace},
		{hasSpawnFlags, r.Frames || r.Front || r.Nests || r.Movable},
		{hasExternal, r.External},
		{hasMasks, r.Masks != 0},
		{hasSays, r.Says != ""},
		{hasEnd, r.Op == "end" || r.Count != 0 || r.Sum != 0},
	} {
		if f.is {
			has |= f.bit
		}
	}
	return has
}

// updateWords replaces what version 1 says in other words.
func (r *record) updateWords() {
	if now, renamed := opsOfVersion1[r.Op]; renamed {
		r.Op = now
	}
	if r.Says == "dead" {
		r.Says = "gone"
	}
}

// parse reads one line of a trace of the given version into r. The error is why it is no record.
func (r *record) parse(line []byte, version int) error {
	if err := strictly(line, r); err != nil {
		return err
	}
	if version == 1 {
		r.updateWords()
	}
	shape, known := shapes[r.Op]
	if !known {
		return fmt.Errorf("op %q is none", r.Op)
	}
	if has := r.fields(); has&shape.must != shape.must || has&^(shape.must|shape.may) != 0 {
		return fmt.Errorf("%s has a field too many, or lacks one", r.Op)
	}
	if r.Wait > fiber.MaxSeq {
		return fmt.Errorf("wait %d: no scheduler counts so far", r.Wait)
	}
	if r.Fiber != "" {
		id, err := fiber.ParseID(r.Fiber)
		r.id = id
		return err
	}
	return nil
}

// strictly reads one JSON value and nothing else, with no field that v does not have.
func strictly(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("not JSON of this format: %w", err)
	}
	if d.InputOffset() != int64(len(line)) {
		return fmt.Errorf("%d bytes behind the JSON value", int64(len(line))-d.InputOffset())
	}
	return nil
}
