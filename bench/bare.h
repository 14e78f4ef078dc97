/* What both bare loops share: where they ask, with what, and how long an answer is. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 64 * 1024 };

static char request[1024], buffer[BUFFER];
static size_t request_length;
static struct sockaddr_in address;

static void give_up(const char *what) {
    perror(what);
    exit(1);
}

static void ask(int connection) {
    if (send(connection, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length)
        give_up("send");
}

/* Connects from a free port among 64 (IP_LOCAL_PORT_RANGE, Linux 6.3, which else changes nothing), or among all where none of
 * these is free: among all a search takes longer than all else where most are in use. */
static int from_few_ports(int connection) {
    static unsigned opened;
    unsigned first = 32768 + opened++ / 32 % 441 * 64, few = first | (first + 63) << 16, all = 0;
    setsockopt(connection, IPPROTO_IP, 51, &few, sizeof few);
    if (!connect(connection, (const struct sockaddr *)&address, sizeof address))
        return 0;
    setsockopt(connection, IPPROTO_IP, 51, &all, sizeof all);
    return connect(connection, (const struct sockaddr *)&address, sizeof address);
}

static int dial(void) {
    int connection = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connection < 0 || from_few_ports(connection))
        give_up("connect");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

/* Asks once and reads one answer, the only one whose head is looked at. */
static size_t length_of_an_answer(void) {
    int connection = dial();
    size_t have = 0, need = 0;
    ask(connection);
    while (!need || have < need) {
        size_t room = need ? BUFFER : BUFFER - 1 - have;
        ssize_t got = recv(connection, need ? buffer : buffer + have, room, 0);
        if (got <= 0)
            give_up("recv");
        have += (size_t)got;
        if (need)
            continue;
        buffer[have] = 0;
        char *end = strstr(buffer, "\r\n\r\n"), *length = strcasestr(buffer, "\r\ncontent-length:");
        if (end && !length)
            give_up("an answer without Content-Length");
        if (end)
            need = (size_t)(end + 4 - buffer) + strtoul(length + 17, NULL, 10);
    }
    close(connection);
    return need;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Reads ADDRESS PORT PATH, and returns the bytes of an answer. */
static size_t begin(int count, char **args) {
    if (count != 6) {
        fprintf(stderr, "usage: %s ADDRESS PORT PATH CONNECTIONS SECONDS\n", args[0]);
        exit(2);
    }
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(args[2]))};
    if (inet_pton(AF_INET, args[1], &address.sin_addr) != 1)
        give_up("the address");
    request_length = (size_t)snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", args[3], args[1], args[2]);
    return length_of_an_answer();
}

/* Bytes that are missing of the answer on each connection, by its descriptor. */
static size_t *none_came(int connections) {
    size_t *missing = calloc((size_t)connections + 65536, sizeof *missing);
    if (!missing)
        give_up("calloc");
    return missing;
}
