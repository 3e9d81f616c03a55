package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/wait"
)

// choose is fiber.select(cases, timeout=None, default=False). A case is (ch, "recv"), (ch, "send", v) or (task, "join");
// None in place of the channel or task disables it. The result is the index of the case that was carried out, and its
// value; or fiber.TIMEOUT or, with default, fiber.EMPTY, and None.
func choose(c *call) (gostar.Value, error) {
	var list gostar.Iterable
	var limit timeout
	var try bool
	if err := c.unpack("cases", &list, "timeout?", &limit, "default?", &try); err != nil {
		return nil, err
	}
	var cases []wait.Case
	for spec := range gostar.Elements(list) {
		made, err := c.caseOf(spec)
		if err != nil {
			return nil, fmt.Errorf("select: case %d: %w", len(cases), err)
		}
		cases = append(cases, made)
	}
	if try {
		i, ok, err := c.fiber.TrySelect(wait.NewSelect(cases...))
		if err != nil || !ok {
			return gostar.Tuple{empty, gostar.None}, err
		}
		return chosen(i, cases[i])
	}
	deadline, err := c.deadline(limit)
	if err != nil {
		return nil, err
	}
	i, err := c.fiber.SelectUntil(wait.NewSelect(cases...), deadline)
	if v, err := c.ended(nil, err); err != nil || v != nil {
		return gostar.Tuple{timedOut, gostar.None}, err
	}
	return chosen(i, cases[i])
}

// caseOf reads a case.
func (c *call) caseOf(spec gostar.Value) (wait.Case, error) {
	parts, ok := spec.(gostar.Tuple)
	if !ok || len(parts) < 2 {
		return nil, fmt.Errorf("got %s; want a tuple such as (ch, \"recv\")", spec.Type())
	}
	what, _ := gostar.AsString(parts[1])
	if what == "send" && len(parts) != 3 || what != "send" && len(parts) != 2 {
		return nil, fmt.Errorf("%.100q with %d parts: want (ch, \"recv\"), (ch, \"send\", v) or (task, \"join\")", what, len(parts))
	}
	switch on := parts[0].(type) {
	case gostar.NoneType:
		return wait.RecvFrom[gostar.Value](nil), nil
	case *channel:
		switch what {
		case "recv":
			return wait.RecvFrom(on.of), nil
		case "send":
			return wait.SendTo(on.of, parts[2]), c.share(parts[2], nil)
		}
	case *object[*task]:
		if what == "join" {
			j, err := wait.JoinOn(on.of.Cell(), c.fiber.ID())
			return j, err
		}
	}
	return nil, fmt.Errorf("cannot %.100q on a %s", what, parts[0].Type())
}

// chosen is the result of a case.
func chosen(i int, of wait.Case) (gostar.Value, error) {
	var v gostar.Value = gostar.None
	switch of := of.(type) {
	case *wait.Receive[gostar.Value]:
		v = received(of.Value())
	case *wait.Send[gostar.Value]:
		if err := of.Err(); err != nil {
			return nil, err
		}
	case wait.Join:
		result, _, err := of.Try()
		if err != nil {
			v = gostar.Tuple{gostar.None, gostar.String(err.Error())}
		} else {
			v = gostar.Tuple{result.(gostar.Value), gostar.None}
		}
	}
	return gostar.Tuple{gostar.MakeInt(i), v}, nil
}
