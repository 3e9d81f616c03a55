//go:build !race

package meter_test

const stride = 1
