package island

// What the external tests of this package need to see.

const DefaultProbeAfter = defaultProbeAfter

// InvalidCommand is a Command that no constructor makes.
func InvalidCommand(to Address) Command { return Command{kind: 99, to: to} }

// ReceiversWaiting counts the fibers that wait at the port.
func ReceiversWaiting[T any](p *Port[T]) int { return p.receivers.Waiting() }

// SendersWaiting counts the fibers that wait to send.
func SendersWaiting[T any](s *Sender[T]) int { return s.waiting.Waiting() }

// At is the internal lookup by address.
func (r *Registry) At(a Address) (*Island, error) { return r.at(a) }
