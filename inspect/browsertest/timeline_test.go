package browsertest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// pipeline is a program whose fibers work, wait for each other and sleep, and that deadlocks in the end.
const pipeline = `local jobs, results = fiber.chan(2), fiber.chan()

local function work(n)
  local sum = 0
  for i = 1, n do sum = sum + i % 7 end
  return sum
end

for i = 1, 4 do
  fiber.spawn(function()
    for job in jobs:iter() do results:send(work(job)) fiber.sleep(0.002) end
  end):name("worker " .. i)
end
fiber.spawn(function()
  for i = 1, 60 do jobs:send(20000 + i % 5 * 20000) end
end):name("source")
for i = 1, 61 do results:recv() end
`

type timeline struct {
	Available   bool
	First, Last int64
	Tracks      []struct{ ID string }
}

func TestTheTimelineIsZoomedAndMoved(t *testing.T) {
	p := start(t, "pipeline.lua", pipeline, "", "--recorder")
	b := open(t, p.url)
	b.wait(`document.getElementById("verdict").textContent === "deadlock"`)
	want := read[timeline](t, p, "timeline")
	require.True(t, want.Available)
	b.show("#/timeline")
	b.wait(`document.querySelectorAll(".tracks .names a").length > 0`)
	require.Len(t, want.Tracks, eval[int](b, `document.querySelectorAll(".tracks .names a").length`))
	require.True(t, eval[bool](b, painted), "there are bars, in colors")
	b.picture("inspector-timeline")
	whole := eval[string](b, shownTime)
	b.focus(`.tracks canvas`)
	b.shortcut("+")
	b.shortcut("+")
	b.wait(shownTime + ` !== "` + whole + `"`)
	b.shortcut("0")
	b.wait(shownTime + ` === "` + whole + `"`)
	b.show("#/fiber/f1.1")
	b.wait(`document.querySelectorAll(".history li").length > 10`)
}

const shownTime = `document.getElementById("timelinetext").textContent.split(" shown")[0]`

// painted tells whether the drawing has a pixel in a color.
const painted = `(() => {
	const canvas = document.querySelector(".tracks canvas");
	return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v, i, all) => i % 4 === 0 && Math.abs(v - all[i + 2]) > 40);
})()`

func TestAnInspectorHasATimelineWithoutMoreFlags(t *testing.T) {
	p, b := deadlock(t)
	want := read[timeline](t, p, "timeline")
	require.True(t, want.Available)
	b.show("#/timeline")
	b.wait(`document.querySelectorAll(".tracks .names a").length > 0`)
	require.Len(t, want.Tracks, eval[int](b, `document.querySelectorAll(".tracks .names a").length`))
}
