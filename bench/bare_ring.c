/* What the kernel alone asks for where it receives and sends itself (io_uring): a closed loop that knows nothing of HTTP but how
 * many bytes an answer has. Beside bare_epoll.c it is the other floor below a load generator.
 *
 * usage: bare_ring ADDRESS PORT PATH CONNECTIONS SECONDS
 * Prints the number of whole answers. Needs Linux 6.1. */
#include "bare.h"
#include <errno.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { ENTRIES = 4096, BUFFERS = 1024, PIECE = 16 * 1024, RECEIVED = 0, SENT = 1 };

static int ring;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *ends;
static unsigned *asked_tail, *asked_head, asked_mask, *ended_head, *ended_tail, ended_mask, queued;
static struct io_uring_buf_ring *given;
static char *memory;

static void enter(unsigned wanted, unsigned flags) {
    if (syscall(SYS_io_uring_enter, ring, queued, wanted, flags, NULL, 0) < 0 && errno != EINTR)
        give_up("io_uring_enter");
    queued = 0;
}

static struct io_uring_sqe *next_entry(void) {
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
    struct io_uring_sqe *entry = next_entry();
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
    struct io_uring_sqe *entry = next_entry();
    entry->opcode = IORING_OP_RECV;
    entry->fd = connection;
    entry->flags = IOSQE_BUFFER_SELECT;
    entry->ioprio = IORING_RECV_MULTISHOT;
    entry->user_data = (unsigned long)connection << 1 | RECEIVED;
    asked();
}

static void give(unsigned number) {
    struct io_uring_buf *buffer = &given->bufs[given->tail & (BUFFERS - 1)];
    buffer->addr = (unsigned long)(memory + (size_t)number * PIECE);
    buffer->len = PIECE;
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

int main(int count, char **args) {
    size_t answer = begin(count, args), answers = 0;
    set_up();
    int connections = atoi(args[4]);
    size_t *missing = none_came(connections);
    int *opened = calloc((size_t)connections, sizeof *opened);
    for (int i = 0; i < connections; i++) {
        opened[i] = dial();
        missing[opened[i]] = answer;
    }
    for (int i = 0; i < connections; i++) {
        receive(opened[i]);
        send_request(opened[i]);
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
