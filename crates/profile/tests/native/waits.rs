//! What threads wait for that are on no processor.

use std::fs;
use std::path::Path;

use record::{Doing, Stacks};
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::{Running, run};

/// Each thread waits for what its name says; those for a socket and for a lock wake many times a second and wait again. Two
/// compute on one processor, and the child of `for-child` waits for a signal.
const WAITS: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun;

static void begin(const char *name) {
    prctl(PR_SET_NAME, name);
    pthread_barrier_wait(&begun);
}

static void *for_socket(void *none) {
    int pair[2];
    char byte;
    struct timeval brief = {0, 20000};
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &brief, sizeof brief);
    begin("for-socket");
    for (;;) recv(pair[0], &byte, 1, 0);
    return none;
}

static void *for_lock(void *none) {
    begin("for-lock");
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_mutex_timedlock(&held, &until);
    }
    return none;
}

static void *for_work(void *none) {
    begin("for-work-7");
    pthread_mutex_lock(&held);
    return none;
}

static void *for_time(void *none) {
    begin("for-time");
    for (;;) sleep(1000);
    return none;
}

static void *for_file(void *none) {
    int file = open("held", O_RDWR);
    begin("for-file");
    flock(file, LOCK_EX);
    return none;
}

static void *for_child(void *none) {
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "child");
        for (;;) pause();
    }
    begin("for-child");
    waitpid(child, NULL, 0);
    return none;
}

static void *for_core(void *cpus) {
    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), cpus);
    begin("for-core");
    for (volatile unsigned long i = 0;; i++);
    return cpus;
}

int main(void) {
    void *(*all[])(void *) = {for_socket, for_lock, for_work, for_time, for_file, for_child, for_core, for_core};
    int threads = sizeof all / sizeof *all;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(sched_getcpu(), &cpus);
    flock(open("held", O_RDWR | O_CREAT, 0600), LOCK_EX);
    pthread_mutex_lock(&held);
    pthread_barrier_init(&begun, NULL, threads + 1);
    for (int at = 0; at < threads; at++) {
        pthread_t thread;
        pthread_create(&thread, NULL, all[at], &cpus);
    }
    pthread_barrier_wait(&begun);
    puts("ready");
    fflush(stdout);
    for (;;) pause();
}
"#;

/// Samples of threads of this name, and those of them that did this.
fn seen(stacks: &Stacks, name: &str, doing: Doing) -> (u64, u64) {
    let all = stacks.stacks.iter();
    let own = all.filter(|stack| stacks.of(stack).any(|of| of.name == name));
    let own: Vec<_> = own.collect();
    let that = own.iter().filter(|of| of.doing == doing);
    (
        own.iter().map(|of| of.samples).sum(),
        that.map(|of| of.samples).sum(),
    )
}

fn waiting(folder: &Path) -> Running {
    fs::write(folder.join("waits.c"), WAITS).unwrap();
    run(folder, &["cc", "-O1", "-pthread", "-o", "waits", "waits.c"]);
    Running::start(folder, &["./waits"])
}

#[test]
fn threads_of_a_program_in_c_are_told_by_what_they_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let running = waiting(folder.path());
    let (facts, stacks) = running.sampled(folder.path());
    assert_eq!(facts.problem, None);
    for (name, doing) in [
        ("for-socket", Doing::WaitsForSocket),
        ("for-lock", Doing::WaitsForThread),
        ("for-work-*", Doing::Idle),
        ("for-time", Doing::Sleeps),
        ("for-file", Doing::WaitsForFile),
        ("for-child", Doing::WaitsForChild),
        ("child", Doing::Idle),
        ("waits", Doing::Idle),
    ] {
        let (all, that) = seen(&stacks, name, doing);
        assert!(that > 20 && that * 2 > all, "{name}: {stacks:?}");
    }
    // two share a processor: while one of them runs, the other one could
    let (_, queued) = seen(&stacks, "for-core", Doing::WaitsForCore);
    assert!(queued * 4 > facts.on_cpu(), "{queued}: {facts:?}");
    assert!(facts.cpu > 0.0, "{facts:?}");
}

/// Has the first thread of a program run on one processor, the same for all.
fn pin(running: &Running) {
    let may = sched_getaffinity(None).unwrap();
    let first = (0..CpuSet::MAX_CPU).find(|at| may.is_set(*at)).unwrap();
    let mut one = CpuSet::new();
    one.set(first);
    let pid = Pid::from_raw(running.0.id().cast_signed());
    sched_setaffinity(pid, &one).unwrap();
}

/// Nanoseconds that the first thread of a program has run, and that it waited for a core.
fn clock(running: &Running) -> [f64; 2] {
    let text = fs::read_to_string(format!("/proc/{}/schedstat", running.0.id())).unwrap();
    let mut figures = text.split_ascii_whitespace();
    [(); 2].map(|()| figures.next().unwrap().parse().unwrap())
}

#[test]
fn what_of_ruby_waits_for_a_core_is_not_on_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("hot.rb"),
        "def hot\n  i = 0\n  i += 1 while i < 100_000\nend\n$stdout.puts 'ready'\n$stdout.flush\nhot while true\n",
    )
    .unwrap();
    let running = Running::start(folder, &["ruby", "hot.rb"]);
    let spin = ["sh", "-c", "echo ready; while :; do :; done"];
    let beside = [(); 3].map(|()| Running::start(folder, &spin));
    beside.iter().chain([&running]).for_each(pin);
    let before = clock(&running);
    let (facts, _) = running.sampled(folder);
    let after = clock(&running);
    let [ran, queued] = [0, 1].map(|at| after[at] - before[at]);
    let ran = ran / (ran + queued);
    assert!(ran < 0.6, "four share a core: {ran}");
    let waits = facts.samples(|of| of.doing == Doing::WaitsForCore);
    let told = facts.on_cpu() as f64 / (facts.on_cpu() + waits) as f64;
    assert!((0.5..1.5).contains(&(told / ran)), "{ran}: {facts:?}");
}
