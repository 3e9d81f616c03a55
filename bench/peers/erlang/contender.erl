%% The peer of bench for Erlang: contender:main(["WORK", "N"]) does the work N times and prints
%% what one time took. (OTP has a module peer of its own.)
-module(contender).
-export([main/1]).

main([Work, Number]) ->
    %% Or each collection of its garbage would copy all the messages that wait for it.
    process_flag(message_queue_data, off_heap),
    N = list_to_integer(Number),
    Took = work(Work, N),
    io:format("{\"id\":\"~s\",\"operations\":~b,\"ns\":~.3f}~n", [Work, N, Took / N]),
    halt(0).

work("yield-8", N) -> timed(fun() -> crowd(8, N) end);
work("yield-1000", N) -> timed(fun() -> crowd(1000, N) end);
work("ping-pong", N) -> timed(fun() -> ring(2, N) end);
work("ring-503", N) -> timed(fun() -> ring(503, N) end);
work("spawn-join", N) -> timed(fun() -> spawn_join(N) end);
work("skynet", N) -> timed(fun() -> skynet(N) end);
work("sleepers", N) -> processor_time(fun() -> sleepers(N) end).

%% Nanoseconds by the clock.
timed(Work) ->
    Start = erlang:monotonic_time(nanosecond),
    Work(),
    erlang:monotonic_time(nanosecond) - Start.

%% Nanoseconds of all processors.
processor_time(Work) ->
    {Before, _} = statistics(runtime),
    Work(),
    {After, _} = statistics(runtime),
    (After - Before) * 1000000.

%% Processes that do nothing but let the others run, together N times.
crowd(Size, N) ->
    each(Size, fun(_) -> yield_often(N div Size) end),
    gather(Size).

yield_often(0) -> ok;
yield_often(N) -> erlang:yield(), yield_often(N - 1).

%% each spawns processes that say so when they end; gather waits for them.
each(0, _) -> ok;
each(I, Body) ->
    Parent = self(),
    spawn(fun() -> Body(I), Parent ! ended end),
    each(I - 1, Body).

gather(0) -> ok;
gather(N) -> receive ended -> gather(N - 1) end.

%% A ball makes N hops from mailbox to mailbox.
ring(Players, N) ->
    Parent = self(),
    First = spawn(fun() -> receive {next, Next} -> player(Next, N, Parent) end end),
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> player(Next, N, Parent) end) end,
                       First, lists:seq(2, Players)),
    First ! {next, Last},
    First ! 0,
    receive over -> ok end.

player(Next, N, Parent) ->
    receive
        N -> Parent ! over;
        Hops -> Next ! Hops + 1, player(Next, N, Parent)
    end.

spawn_join(N) -> each(N, fun(_) -> ok end), gather(N).

%% A tree with N leaves, ten to a parent, whose sum the children add up.
skynet(N) ->
    sky(self(), 0, N),
    Sum = N * (N - 1) div 2,
    receive Sum -> ok end.

sky(Parent, First, 1) -> Parent ! First;
sky(Parent, First, Size) ->
    Self = self(),
    Part = Size div 10,
    [spawn(fun() -> sky(Self, First + I * Part, Part) end) || I <- lists:seq(0, 9)],
    Parent ! add(10, 0).

add(0, Sum) -> Sum;
add(N, Sum) -> receive X -> add(N - 1, Sum + X) end.

%% Each sleeps once, for a time within a second. (rand would seed itself in each process.)
sleepers(N) ->
    each(N, fun(I) -> receive after I * 7919 rem 1000 -> ok end end),
    gather(N).
