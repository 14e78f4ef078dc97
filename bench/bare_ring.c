/* What the kernel alone asks for where it receives and sends itself (io_uring): a closed loop that knows nothing of HTTP but how
 * many bytes an answer has. Beside bare_epoll.c it is the other floor below a load generator.
 *
 * usage: bare_ring ADDRESS PORT PATH CONNECTIONS SECONDS
 * Prints the number of whole answers. Needs Linux 6.1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 4096, BUFFERS = 1024, BUFFER = 16 * 1024, RECEIVED = 0, SENT = 1 };

static char request[1024];
static size_t request_length;

static int ring;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *ends;
static unsigned *asked_tail, *asked_head, asked_mask, *ended_head, *ended_tail, ended_mask, queued;
static struct io_uring_buf_ring *given;
static char *memory;

static void give_up(const char *what) {
    perror(what);
    exit(1);
}

static void enter(unsigned wanted, unsigned flags) {
    if (syscall(SYS_io_uring_enter, ring, queued, wanted, flags, NULL, 0) < 0 && errno != EINTR)
        give_up("io_uring_enter");
    queued = 0;
}

static struct io_uring_sqe *ask(void) {
    if (queued == ENTRIES)
        enter(0, 0);
    struct io_uring_sqe *entry = &requests[(*asked_tail)&asked_mask];
    memset(entry, 0, sizeof *entry);
    return entry;
}

static void asked(void) {
    __atomic_store_n(asked_tail, *asked_tail + 1, __ATOMIC_RELEASE);
    queued++;
}

static void send_request(int connection) {
    struct io_uring_sqe *entry = ask();
    entry->opcode = IORING_OP_SEND;
    entry->fd = connection;
    entry->addr = (unsigned long)request;
    entry->len = (unsigned)request_length;
    entry->msg_flags = MSG_NOSIGNAL;
    entry->flags = IOSQE_CQE_SKIP_SUCCESS;
    entry->user_data = (unsigned long)connection << 1 | SENT;
    asked();
}

static void receive(int connection) {
    struct io_uring_sqe *entry = ask();
    entry->opcode = IORING_OP_RECV;
    entry->fd = connection;
    entry->flags = IOSQE_BUFFER_SELECT;
    entry->ioprio = IORING_RECV_MULTISHOT;
    entry->user_data = (unsigned long)connection << 1 | RECEIVED;
    asked();
}

static void give(unsigned number) {
    struct io_uring_buf *buffer = &given->bufs[given->tail & (BUFFERS - 1)];
    buffer->addr = (unsigned long)(memory + (size_t)number * BUFFER);
    buffer->len = BUFFER;
    buffer->bid = (unsigned short)number;
    __atomic_store_n(&given->tail, (unsigned short)(given->tail + 1), __ATOMIC_RELEASE);
}

static void *map(size_t size, int fd, off_t offset) {
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, offset);
    if (at == MAP_FAILED)
        give_up("mmap");
    return at;
}

static void set_up(void) {
    struct io_uring_params how = {.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE,
                                  .cq_entries = 16 * ENTRIES};
    ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &how);
    if (ring < 0)
        give_up("io_uring_setup");
    size_t size = how.cq_off.cqes + how.cq_entries * sizeof *ends, asks = how.sq_off.array + how.sq_entries * sizeof(unsigned);
    if (size < asks)
        size = asks;
    char *queues = map(size, ring, IORING_OFF_SQ_RING);
    requests = map(how.sq_entries * sizeof *requests, ring, IORING_OFF_SQES);
    asked_head = (unsigned *)(queues + how.sq_off.head);
    asked_tail = (unsigned *)(queues + how.sq_off.tail);
    asked_mask = *(unsigned *)(queues + how.sq_off.ring_mask);
    unsigned *order = (unsigned *)(queues + how.sq_off.array);
    for (unsigned at = 0; at < how.sq_entries; at++)
        order[at] = at;
    ended_head = (unsigned *)(queues + how.cq_off.head);
    ended_tail = (unsigned *)(queues + how.cq_off.tail);
    ended_mask = *(unsigned *)(queues + how.cq_off.ring_mask);
    ends = (struct io_uring_cqe *)(queues + how.cq_off.cqes);
    given = map(BUFFERS * sizeof(struct io_uring_buf), -1, 0);
    memory = map((size_t)BUFFERS * BUFFER, -1, 0);
    struct io_uring_buf_reg group = {.ring_addr = (unsigned long)given, .ring_entries = BUFFERS};
    if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_PBUF_RING, &group, 1))
        give_up("io_uring_register");
    for (unsigned number = 0; number < BUFFERS; number++)
        give(number);
}

static int dial(const struct sockaddr_in *address) {
    int connection = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connection < 0 || connect(connection, (const struct sockaddr *)address, sizeof *address))
        give_up("connect");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

/* Asks once and reads one answer, the only one whose head is looked at. */
static size_t length_of_an_answer(const struct sockaddr_in *address) {
    int connection = dial(address);
    size_t have = 0, need = 0, room = (size_t)BUFFERS * BUFFER - 1;
    if (send(connection, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length)
        give_up("send");
    while (!need || have < need) {
        ssize_t got = recv(connection, need ? memory : memory + have, room - have % room, 0);
        if (got <= 0)
            give_up("recv");
        have += (size_t)got;
        if (need)
            continue;
        memory[have] = 0;
        char *end = strstr(memory, "\r\n\r\n"), *length = strcasestr(memory, "\r\ncontent-length:");
        if (end && !length)
            give_up("an answer without Content-Length");
        if (end)
            need = (size_t)(end + 4 - memory) + strtoul(length + 17, NULL, 10);
    }
    close(connection);
    return need;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **args) {
    if (count != 6) {
        fprintf(stderr, "usage: bare_ring ADDRESS PORT PATH CONNECTIONS SECONDS\n");
        return 2;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(args[2]))};
    if (inet_pton(AF_INET, args[1], &address.sin_addr) != 1)
        give_up("the address");
    request_length = (size_t)snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", args[3], args[1], args[2]);
    set_up();
    size_t answer = length_of_an_answer(&address), answers = 0;
    int connections = atoi(args[4]);
    size_t *missing = calloc((size_t)connections + 65536, sizeof *missing); /* by descriptor */
    for (int i = 0; i < connections; i++) {
        int connection = dial(&address);
        missing[connection] = answer;
        receive(connection);
        send_request(connection);
    }
    double end = now() + atof(args[5]);
    while (now() < end) {
        enter(1, IORING_ENTER_GETEVENTS);
        unsigned tail = __atomic_load_n(ended_tail, __ATOMIC_ACQUIRE);
        for (unsigned at = *ended_head; at != tail; at++) {
            struct io_uring_cqe *ended = &ends[at & ended_mask];
            int connection = (int)(ended->user_data >> 1);
            if ((ended->user_data & 1) == SENT)
                give_up("send"); /* a send that succeeds says nothing */
            if (ended->res == -ENOBUFS) {
                receive(connection);
                continue;
            }
            if (ended->res <= 0 || (size_t)ended->res > missing[connection])
                give_up("recv");
            give(ended->flags >> IORING_CQE_BUFFER_SHIFT);
            if (!(ended->flags & IORING_CQE_F_MORE))
                receive(connection);
            if (missing[connection] -= (size_t)ended->res)
                continue;
            answers++;
            missing[connection] = answer;
            send_request(connection);
        }
        __atomic_store_n(ended_head, tail, __ATOMIC_RELEASE);
    }
    printf("%zu\n", answers);
    return 0;
}
