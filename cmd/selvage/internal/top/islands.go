package top

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/inspect"
)

// islandsLines are the islands, and the ports between them. The numbers of the server are not trusted.
func (m *model) islandsLines() []string {
	s := m.islands.of
	switch {
	case s == nil:
		return []string{"…"}
	case len(s.Parts) == 0 && m.ended():
		return []string{"the islands have ended with the program"}
	case len(s.Parts) == 0:
		return []string{"the program has made no islands"}
	}
	t := text{width: m.width}
	if o := m.islands.omitted; len(o) > 0 {
		t.add(0, "%v", o)
	}
	name := max(10, m.width/4)
	t.add(0, "%s %8s %8s %9s %9s %12s", fit("ISLAND", name), "READY", "BLOCKED", "MOVED IN", "MOVED OUT", "TRANSITIONS")
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.Missing != "" {
			t.add(0, "%s no answer: %s", fit(p.Name, name), clip(p.Missing, m.width))
			continue
		}
		t.add(0, "%s %8s %8s %9s %9s %12s", fit(p.Name, name), count(p.Ready), count(p.Blocked), count(p.MovedIn), count(p.MovedOut), count(p.Transitions))
	}
	if len(s.Ports) > 0 {
		t.add(0, "")
		t.add(0, "%s %8s %8s  %s", fit("PORT", name), "CAPACITY", "VALUES", "FROM -> TO")
	}
	waits := waitsAt(s)
	for i := range s.Ports {
		p := &s.Ports[i]
		t.add(0, "%s %8s %8s  %s", fit(p.Name, name), count(p.Capacity), count(p.Values), clip(route(s, p), m.width))
		for _, w := range waits[i] {
			t.add(2, "%s fibers of %s wait for %s", count(w.Fibers), clip(island(s, w.Part), m.width), clip(w.For, m.width))
		}
	}
	return t.all()
}

// waitsAt are the waits at each port.
func waitsAt(s *inspect.SetReport) map[int][]inspect.PortWait {
	all := map[int][]inspect.PortWait{}
	for _, w := range s.Waits {
		all[w.Port] = append(all[w.Port], w)
	}
	return all
}

// route is from which islands values come through a port, and to which.
func route(s *inspect.SetReport, p *inspect.Port) string {
	var from []string
	shown := min(len(p.Senders), portSenders)
	for _, sender := range p.Senders[:shown] {
		name := "outside"
		if sender.Part != nil {
			name = island(s, *sender.Part)
		}
		if !slices.Contains(from, name) {
			from = append(from, name)
		}
	}
	switch rest := len(p.Senders) - shown; {
	case rest > 0:
		from = append(from, count(rest)+" more senders")
	case len(from) == 0:
		from = []string{"none"}
	}
	return fmt.Sprintf("%s -> %s", strings.Join(from, ", "), island(s, p.Part))
}

// island is the name of a part.
func island(s *inspect.SetReport, part int) string {
	if part < 0 || part >= len(s.Parts) {
		return fmt.Sprintf("island %d", part)
	}
	return s.Parts[part].Name
}
