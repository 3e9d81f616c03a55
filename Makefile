# Names for what CI does. The commands themselves are in .ci/run.

.PHONY: all test long race checked lint spec bench peers ci fmt api scripts bugs mutate

all: lint test

test:    ; go test ./...
long:    ; SELVAGE_LONG=1 go test -timeout 60m ./...
race:    ; .ci/run race
checked: ; .ci/run checked
lint:    ; .ci/run format vet staticcheck
spec:    ; .ci/run spec
ci:      ; .ci/run
fmt:     ; gofmt -w $$(git ls-files '*.go')
bench:   ; go run ./bench
api:     ; go test ./internal/policy -run API -rewrite
scripts: ; go test ./scheduler -rewrite

# The runtimes that bench -peers compares with, from Debian's packages.
peers:   ; bench/peers/install.sh

# Do the tests notice? Bugs made on purpose, and small mistakes drawn at random. Both take
# long; MUTATE passes flags on: make mutate MUTATE='-sample 50 -seed 7 wait'
bugs:    ; go test ./proptest/bugs -long=10 -timeout 2h -v
mutate:  ; go run ./internal/tools/mutate $(MUTATE)
