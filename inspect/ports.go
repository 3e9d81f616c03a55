package inspect

// End is one end of a port, at the scheduler that Scheduler.Ends is asked of.
type End struct {
	Port     string // its name
	To       string // of an end that sends: the scheduler that receives; "" for the port itself
	Capacity int    // how many values each sender may have sent that are not received
	Waiting  int    // fibers that wait here: to receive or, where To is set, to send
	Senders  []EndSender
}

// EndSender is a sender as its port sees it.
type EndSender struct {
	From   string // its scheduler
	Values int    // sent and not received
}

// Port is a channel between schedulers.
type Port struct {
	Name      string       `json:"name"`
	Part      int          `json:"part"`      // in SetReport.Parts: that receives
	Capacity  int          `json:"capacity"`  // of each sender
	Values    int          `json:"values"`    // sent and not received
	Receivers int          `json:"receivers"` // fibers that wait to receive
	Senders   []PortSender `json:"senders"`
}

// PortSender is a sender of a port.
type PortSender struct {
	Part    *int `json:"part,omitempty"` // in SetReport.Parts; absent if it is in none of them
	Values  int  `json:"values"`         // sent and not received
	Waiting int  `json:"waiting"`        // fibers that wait to send, as of the moment of its own part
}

// PortWait says that fibers of a part wait at a port.
type PortWait struct {
	Part   int    `json:"part"`   // in SetReport.Parts
	Port   int    `json:"port"`   // in SetReport.Ports
	For    string `json:"for"`    // "values", to receive, or "room", to send
	Fibers int    `json:"fibers"` // that wait
}

// setBuilder puts the parts of a SetReport together.
type setBuilder struct {
	report *SetReport
	parts  map[string]int // by name: the index in Parts
}

// address is what identifies a port: names of closed ports are used again.
type address struct{ port, at string }

func (s *setBuilder) addPorts(ends [][]End) {
	r, ports := s.report, map[address]int{}
	for part, of := range ends {
		for _, e := range of {
			if e.To == "" {
				ports[address{e.Port, r.Parts[part].Name}] = len(r.Ports)
				r.Ports = append(r.Ports, s.port(part, e))
			}
		}
	}
	for part, of := range ends {
		for _, e := range of {
			at, known := ports[address{e.Port, e.To}]
			if e.To == "" {
				at, known = ports[address{e.Port, r.Parts[part].Name}]
			}
			if known {
				s.addWaiting(part, at, e)
			}
		}
	}
}

func (s *setBuilder) port(part int, e End) Port {
	p := Port{Name: e.Port, Part: part, Capacity: e.Capacity, Receivers: e.Waiting, Senders: []PortSender{}}
	for _, from := range e.Senders {
		row := PortSender{Values: from.Values}
		if at, known := s.parts[from.From]; known {
			row.Part = &at
		}
		p.Values += from.Values
		p.Senders = append(p.Senders, row)
	}
	return p
}

// addWaiting adds the fibers that wait at an end. A port does not tell the senders of one part apart, so those
// that have fibers waiting come first among them.
func (s *setBuilder) addWaiting(part, port int, e End) {
	if e.Waiting == 0 {
		return
	}
	wait := PortWait{Part: part, Port: port, For: "values", Fibers: e.Waiting}
	if e.To != "" {
		wait.For = "room"
		for i := range s.report.Ports[port].Senders {
			if from := &s.report.Ports[port].Senders[i]; from.Part != nil && *from.Part == part && from.Waiting == 0 {
				from.Waiting = e.Waiting
				break
			}
		}
	}
	s.report.Waits = append(s.report.Waits, wait)
}
