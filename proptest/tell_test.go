package proptest

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/internal/script/schedscript"
)

var (
	scriptFile = flag.String("script", "", "write a failure of scheduler and model to this file, as an interaction script")
	trailFile  = flag.String("trail", "", "write a failure of scheduler and model to this file, as a process in Promela that Spin replays")
)

// reported is the failure in all the forms that it can be passed on in. An error that is no
// failure is as it was.
func reported(err error) error {
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	text, why := f.Script()
	if why != nil {
		return fmt.Errorf("%w\nno script: %w", err, why)
	}
	shows := "shows it"
	if schedscript.Run("failure", text).OK() {
		shows = "does not show it: it takes a host that scripts are not"
	}
	err = fmt.Errorf("%w\nas a script, which %s:\n%s", err, shows, text)
	return errors.Join(append([]error{err}, written(f, text)...)...)
}

// written are the files that were asked for.
func written(f *Failure, text string) (errs []error) {
	if *scriptFile != "" {
		errs = append(errs, os.WriteFile(*scriptFile, []byte(text), 0o600))
	}
	if *trailFile != "" {
		trail, err := f.Bounds.Trail(f.Actions)
		if err == nil {
			err = os.WriteFile(*trailFile, []byte(trail), 0o600)
		}
		errs = append(errs, err)
	}
	return errs
}
