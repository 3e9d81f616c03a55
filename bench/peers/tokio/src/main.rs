//! The peer of bench for tokio: peer WORK N does the work N times and prints what one time
//! took. Everything is on the one thread of a current_thread runtime.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, Mutex};
use tokio::task::{spawn, yield_now};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (work, n) = (args[1].as_str(), args[2].parse::<u64>().expect("a number"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let took = runtime.block_on(async move {
        match work {
            "yield-8" => timed(crowd(8, n)).await,
            "yield-1000" => timed(crowd(1000, n)).await,
            "ping-pong" => timed(ring(2, n)).await,
            "ring-503" => timed(ring(503, n)).await,
            "spawn-join" => timed(spawn_join(n)).await,
            "skynet" => timed(skynet(n)).await,
            "mutex" => timed(hand_off(100, n)).await,
            "sleepers" => processor_time(sleepers(n)).await,
            _ => panic!("no work {work}"),
        }
    });
    println!("{{\"id\":\"{work}\",\"operations\":{n},\"ns\":{:.3}}}", took as f64 / n as f64);
}

/// Nanoseconds by the clock.
async fn timed(work: impl Future<Output = ()>) -> u128 {
    let start = Instant::now();
    work.await;
    start.elapsed().as_nanos()
}

/// Nanoseconds of all processors.
async fn processor_time(work: impl Future<Output = ()>) -> u128 {
    let before = used();
    work.await;
    used() - before
}

fn used() -> u128 {
    let of = |t: libc::timeval| t.tv_sec as u128 * 1_000_000_000 + t.tv_usec as u128 * 1000;
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        of(usage.ru_utime) + of(usage.ru_stime)
    }
}

/// Tasks that do nothing but let the others run, together n times.
async fn crowd(size: u64, n: u64) {
    let all: Vec<_> = (0..size)
        .map(|_| {
            spawn(async move {
                for _ in 0..n / size {
                    yield_now().await;
                }
            })
        })
        .collect();
    for task in all {
        task.await.expect("a task");
    }
}

/// A ball makes n hops over channels with room for one.
async fn ring(players: usize, n: u64) {
    let (mut to, mut from): (Vec<_>, Vec<_>) = (0..players).map(|_| mpsc::channel::<u64>(1)).unzip();
    let first = to[0].clone();
    to.rotate_left(1);
    let (over, mut ended) = mpsc::channel(1);
    for (next, mut own) in to.into_iter().zip(from.drain(..)) {
        let over = over.clone();
        spawn(async move {
            while let Some(hops) = own.recv().await {
                if hops == n {
                    over.send(()).await.expect("somebody who waits for the end");
                } else if next.send(hops + 1).await.is_err() {
                    return;
                }
            }
        });
    }
    first.send(0).await.expect("a player");
    ended.recv().await.expect("an end");
}

/// All are there before the first of them runs.
async fn spawn_join(n: u64) {
    let all: Vec<_> = (0..n).map(|_| spawn(async {})).collect();
    for task in all {
        task.await.expect("a task");
    }
}

async fn skynet(n: u64) {
    assert_eq!(sky(0, n).await, n * (n - 1) / 2);
}

/// A tree with n leaves, ten to a parent, whose sum the children add up.
fn sky(first: u64, size: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move {
        let part = size / 10;
        let mut sum = 0;
        let children: Vec<_> = (0..10)
            .map(|i| if part == 1 { spawn(leaf(first + i)) } else { spawn(sky(first + i * part, part)) })
            .collect();
        for child in children {
            sum += child.await.expect("a child");
        }
        sum
    })
}

fn leaf(number: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move { number })
}

/// The lock is fair: who gives it back stands behind all the others.
async fn hand_off(tasks: u64, n: u64) {
    let taken = Arc::new(Mutex::new(0));
    let all: Vec<_> = (0..tasks)
        .map(|_| {
            let taken = taken.clone();
            spawn(async move {
                // Whoever has it first keeps it until all the others want it.
                let mut held = taken.lock().await;
                yield_now().await;
                while *held < n {
                    *held += 1;
                    drop(held);
                    held = taken.lock().await;
                }
            })
        })
        .collect();
    for task in all {
        task.await.expect("a task");
    }
}

/// Each sleeps once, for a time within a second.
async fn sleepers(n: u64) {
    let mut random = 5_u64;
    let all: Vec<_> = (0..n)
        .map(|_| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let time = Duration::from_nanos((random >> 33) % 1_000_000_000);
            spawn(tokio::time::sleep(time))
        })
        .collect();
    for task in all {
        task.await.expect("a task");
    }
}
