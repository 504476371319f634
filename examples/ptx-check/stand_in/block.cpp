// The block: a thread of the system for each of its threads, so that code which waits in a loop for another thread
// comes to its end. Where threads meet, each sleeps until the last one comes.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ptx_check/block.h"

// The kernel: the source of the case is compiled with a definition.
void ptx_check_kernel(const void *in, void *out);

__thread uint3 threadIdx;
uint3 blockDim = {1, 1, 1};

extern "C" char __data_start, _end;

// Shared memory whose size a launch says.
extern "C" {
__attribute__((aligned(1024))) char ptx_check_dynamic_shared[48 << 10];
}

#ifndef MAP_32BIT
// Elsewhere than on x86-64, local addresses may have more than 32 bits.
#define MAP_32BIT 0
#endif

namespace ptx_check {
namespace {

constexpr unsigned MOST_THREADS = 128, MOST_BARRIERS = 64;
constexpr size_t STACK = 256 << 10, GUARD = 4096;
constexpr unsigned char GUARD_BYTE = 0xa5;
// For how long lanes that ask who is there wait for others.
constexpr long PATIENCE_NS = 20'000'000;

enum class State { running, meeting, converging, at_barrier, in_phase, returned };

struct Thread {
    State state = State::returned;
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
    // What it came for.
    unsigned mask = 0, barrier = 0, phase = 0;
    Operation operation = Operation::sync;
    unsigned long long value = 0;
    const void *place = nullptr;
    // What it gets.
    Met met = {};
    Passed passed = {};
};

struct Barrier {
    unsigned expected = 0, arrived = 0;
    int count = 0;
    // As MUSA's asynchronous barriers count.
    unsigned warps = 0, arrived_warps = 0, phase = 0;
    unsigned lanes[MOST_THREADS / 32] = {};
};

pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
Thread threads[MOST_THREADS];
Barrier barriers[MOST_BARRIERS];
unsigned block_size = 0;
char *stacks = nullptr;
const void *input = nullptr;
void *output = nullptr;

unsigned alive() {
    unsigned count = 0;
    for (unsigned at = 0; at < block_size; ++at)
        count += threads[at].state != State::returned;
    return count;
}

unsigned alive_lanes(unsigned warp) {
    unsigned lanes = 0;
    for (unsigned at = 0; at < 32; ++at)
        lanes |= (unsigned)(threads[warp * 32 + at].state != State::returned) << at;
    return lanes;
}

void release(Thread &thread) {
    thread.state = State::running;
    pthread_cond_signal(&thread.wake);
}

// Let the lanes go on that have all come to where they meet.
void release_meetings(unsigned warp) {
    Thread *lanes = threads + warp * 32;
    for (unsigned first = 0; first < 32; ++first) {
        const Thread &one = lanes[first];
        if (one.state != State::meeting)
            continue;
        Met met = {one.mask & alive_lanes(warp), {}};
        bool complete = true;
        for (unsigned at = 0; at < 32; ++at) {
            if (!(met.lanes >> at & 1))
                continue;
            const Thread &other = lanes[at];
            complete &= other.state == State::meeting && other.mask == one.mask && other.operation == one.operation;
            met.values[at] = other.value;
        }
        for (unsigned at = 0; complete && at < 32; ++at) {
            if (met.lanes >> at & 1) {
                lanes[at].met = met;
                release(lanes[at]);
            }
        }
    }
}

// Let the lanes go on that are at the place where `first` asks who is there.
void release_place(unsigned warp, unsigned first) {
    Thread *lanes = threads + warp * 32;
    const void *place = lanes[first].place;
    Met met = {};
    for (unsigned at = 0; at < 32; ++at)
        met.lanes |= (unsigned)(lanes[at].state == State::converging && lanes[at].place == place) << at;
    for (unsigned at = 0; at < 32; ++at) {
        if (met.lanes >> at & 1) {
            lanes[at].met = met;
            release(lanes[at]);
        }
    }
}

// Let one place's lanes go on once no lane of the warp runs that could still come there.
void release_converged(unsigned warp) {
    for (unsigned at = 0; at < 32; ++at)
        if (threads[warp * 32 + at].state == State::running)
            return;
    for (unsigned at = 0; at < 32; ++at)
        if (threads[warp * 32 + at].state == State::converging)
            return release_place(warp, at);
}

void release_barrier(unsigned id) {
    Barrier &barrier = barriers[id];
    if (barrier.arrived == 0 || barrier.arrived < (barrier.expected ? barrier.expected : alive()))
        return;
    const Passed passed = {barrier.count, (int)barrier.arrived};
    for (unsigned at = 0; at < block_size; ++at) {
        if (threads[at].state == State::at_barrier && threads[at].barrier == id) {
            threads[at].passed = passed;
            release(threads[at]);
        }
    }
    barrier.arrived = 0;
    barrier.count = 0;
}

const char *shown(State state) {
    switch (state) {
    case State::meeting:
        return "for lanes of its warp";
    case State::at_barrier:
        return "at a barrier";
    default:
        return "for a phase of a barrier";
    }
}

// End the block where each thread waits and none can be let go.
void find_deadlock() {
    const Thread *waiting = nullptr;
    for (unsigned at = 0; at < block_size; ++at) {
        const State state = threads[at].state;
        if (state == State::running || state == State::converging)
            return;
        if (state != State::returned && waiting == nullptr)
            waiting = threads + at;
    }
    if (waiting == nullptr)
        return;
    char text[200];
    int length = std::snprintf(text, sizeof text, "did not finish: the threads wait for each other, thread %u %s",
                               (unsigned)(waiting - threads), shown(waiting->state));
    if (waiting->state == State::meeting)
        std::snprintf(text + length, sizeof text - length, ", with the mask 0x%08x", waiting->mask);
    fail(text);
}

// Let go on who can, after a change.
void let_go_on() {
    for (unsigned warp = 0; warp * 32 < block_size; ++warp) {
        release_meetings(warp);
        release_converged(warp);
    }
    for (unsigned id = 0; id < MOST_BARRIERS; ++id)
        if (barriers[id].expected == 0)
            release_barrier(id);
    find_deadlock();
}

void sleep(Thread &self) {
    let_go_on();
    while (self.state != State::running)
        pthread_cond_wait(&self.wake, &door);
}

void check_barrier(unsigned id) {
    if (id >= MOST_BARRIERS)
        fail("a barrier's identifier is too large");
}

void *run(void *index) {
    const unsigned at = (unsigned)(size_t)index;
    threadIdx = {at, 0, 0};
    ptx_check_kernel(input, output);
    leave();
}

unsigned char *guarded(size_t length) {
    const size_t whole = (length + 2 * GUARD + GUARD - 1) / GUARD * GUARD;
    void *memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail("no memory for a buffer");
    std::memset(memory, GUARD_BYTE, whole);
    return (unsigned char *)memory + GUARD;
}

bool is_intact(const unsigned char *guard) {
    for (size_t at = 0; at < GUARD; ++at)
        if (guard[at] != GUARD_BYTE)
            return false;
    return true;
}

} // namespace

Met meet(unsigned mask, Operation operation, unsigned long long value) {
    Thread &self = threads[thread()];
    if (!(mask >> lane() & 1))
        fail("a lane calls a function of its warp with a mask that leaves it out");
    pthread_mutex_lock(&door);
    self.mask = mask;
    self.operation = operation;
    self.value = value;
    self.state = State::meeting;
    sleep(self);
    pthread_mutex_unlock(&door);
    return self.met;
}

__attribute__((noinline)) unsigned converged() {
    Thread &self = threads[thread()];
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += PATIENCE_NS;
    end.tv_sec += end.tv_nsec / 1'000'000'000;
    end.tv_nsec %= 1'000'000'000;
    pthread_mutex_lock(&door);
    self.place = __builtin_return_address(0);
    self.state = State::converging;
    let_go_on();
    while (self.state != State::running)
        if (pthread_cond_timedwait(&self.wake, &door, &end) != 0 && self.state != State::running)
            release_place(thread() / 32, lane());
    pthread_mutex_unlock(&door);
    return self.met.lanes;
}

Passed barrier(unsigned id, unsigned expected, bool value, bool waits) {
    check_barrier(id);
    Thread &self = threads[thread()];
    Barrier &barrier = barriers[id];
    pthread_mutex_lock(&door);
    if (barrier.arrived > 0 && barrier.expected != expected)
        fail("threads come to one barrier with different numbers of threads");
    barrier.expected = expected;
    barrier.arrived += 1;
    barrier.count += value;
    if (waits) {
        self.barrier = id;
        self.state = State::at_barrier;
    }
    release_barrier(id);
    if (waits)
        sleep(self);
    pthread_mutex_unlock(&door);
    return self.passed;
}

void expect_warps(unsigned id, unsigned warps, unsigned phase) {
    check_barrier(id);
    pthread_mutex_lock(&door);
    barriers[id].warps = warps;
    barriers[id].phase = phase;
    pthread_mutex_unlock(&door);
}

unsigned arrive_warp(unsigned id) {
    check_barrier(id);
    Barrier &barrier = barriers[id];
    const unsigned warp = thread() / 32;
    pthread_mutex_lock(&door);
    const unsigned phase = barrier.phase;
    barrier.lanes[warp] |= 1u << lane();
    if (barrier.lanes[warp] == alive_lanes(warp)) {
        barrier.lanes[warp] = 0;
        barrier.arrived_warps += 1;
    }
    if (barrier.arrived_warps == barrier.warps) {
        barrier.arrived_warps = 0;
        barrier.phase += 1;
        for (unsigned at = 0; at < block_size; ++at)
            if (threads[at].state == State::in_phase && threads[at].barrier == id)
                release(threads[at]);
    }
    pthread_mutex_unlock(&door);
    return phase;
}

void wait_phase(unsigned id, unsigned phase) {
    check_barrier(id);
    Thread &self = threads[thread()];
    pthread_mutex_lock(&door);
    self.barrier = id;
    while (barriers[id].phase == phase) {
        self.state = State::in_phase;
        sleep(self);
    }
    pthread_mutex_unlock(&door);
}

void leave() {
    pthread_mutex_lock(&door);
    threads[thread()].state = State::returned;
    let_go_on();
    pthread_mutex_unlock(&door);
    pthread_exit(nullptr);
}

void fail(const char *what) {
    std::fprintf(stderr, "%s\n", what);
    _exit(3);
}

bool is_shared(const void *address) { return address >= &__data_start && address < &_end; }
bool is_local(const void *address) { return address >= stacks && address < stacks + MOST_THREADS * STACK; }

} // namespace ptx_check

// IN OUT LENGTH THREADS: run the kernel on the bytes of IN, and write the LENGTH bytes of its output to OUT.
int main(int count, char **arguments) {
    using namespace ptx_check;
    if (count != 5)
        fail("arguments: IN OUT LENGTH THREADS");
    const size_t length = std::strtoul(arguments[3], nullptr, 10);
    block_size = (unsigned)std::strtoul(arguments[4], nullptr, 10);
    if (block_size == 0 || block_size > MOST_THREADS)
        fail("a block has 1 to 128 threads");
    blockDim = {block_size, 1, 1};

    FILE *file = std::fopen(arguments[1], "rb");
    if (file == nullptr)
        fail("can't read the input");
    std::fseek(file, 0, SEEK_END);
    const size_t size = (size_t)std::ftell(file);
    std::rewind(file);
    unsigned char *in = guarded(size), *out = guarded(length);
    if (std::fread(in, 1, size, file) != size)
        fail("can't read the input");
    std::fclose(file);
    std::memset(out, 0, length);
    input = in;
    output = out;

    // Local addresses have 32 bits as well.
    void *memory = mmap(nullptr, MOST_THREADS * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
                        -1, 0);
    if (memory == MAP_FAILED)
        fail("no memory for the stacks");
    stacks = (char *)memory;
    for (unsigned at = 0; at < block_size; ++at)
        threads[at].state = State::running;
    pthread_t ids[MOST_THREADS];
    for (unsigned at = 0; at < block_size; ++at) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stacks + at * STACK, STACK);
        if (pthread_create(&ids[at], &attributes, run, (void *)(size_t)at) != 0)
            fail("can't start a thread");
    }
    for (unsigned at = 0; at < block_size; ++at)
        pthread_join(ids[at], nullptr);

    if (!is_intact(out - GUARD) || !is_intact(out + length))
        fail("the kernel wrote beside its output");
    file = std::fopen(arguments[2], "wb");
    if (file == nullptr || std::fwrite(out, 1, length, file) != length || std::fclose(file) != 0)
        fail("can't write the output");
    return 0;
}
