// Package bind makes Go functions callable by guests, and the results of guests' functions typed: the
// same for every engine.
//
//	query := bind.Must(bind.NewBlocking(func(ctx context.Context, id int) (User, error) { … }))
//	err := host.Bind("db.query", query)                          // host of Lua, or of WebAssembly
//	user, err := bind.Call[User](ctx, host, "handle", request)   // a function of the guest
//
// New makes a function that runs on the goroutine that owns the host, NewBlocking one that may block: its
// fiber waits, the others run. Both check the signature when they are called. What passes:
//
//	Go                                  guest
//	bool, string, numbers               the same; a number that does not fit is refused
//	[]byte                              a string of bytes, or what the engine has for it
//	slices, arrays                      a list
//	maps                                a table; the keys are strings, numbers and booleans
//	structs                             a table with the exported fields
//	pointers                            nil, or what the pointer refers to
//	time.Duration, time.Time            seconds, seconds since 1970; see Codec for JSON
//	types with MarshalText and          their text
//	UnmarshalText, as netip.Addr
//	error                               an object of the engine, which is the same error in Go
//	any                                 what suits the value best; see Codec.Any
//
// A field UserID is userID in the guest, and ID is id; the tag `guest:"name"` gives another name,
// `guest:",omitempty"` leaves a zero value out, and `guest:"-"` leaves the field out. Fields of embedded
// structs belong to the outer struct. A field that the guest does not give is zero; a name that is no
// field is refused. A nil argument is good for pointers, any and error only.
//
// A value that does not fit is a *ValueError, a type that cannot pass a *TypeError, a panic of a bound
// function a *PanicError.
//
// For engines: a Value is neutral between Go and the engine, a Codec converts between Go values and
// Values, and an Invocation is one call of a Func. The table it owns is a Codec's: the fields of the struct
// types that it has seen. What this package never does: wait, start a goroutine other than that of an
// iterator which Go code has returned, or trust a value of a guest.
package bind
