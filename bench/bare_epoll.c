/* What the kernel alone asks for: a closed loop of send, epoll_wait and recv, which knows nothing of
 * HTTP but how many bytes an answer has. No load generator that uses these calls can cost less.
 *
 * usage: bare_epoll ADDRESS PORT PATH CONNECTIONS SECONDS
 * Prints the number of whole answers. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 1024, BUFFER = 64 * 1024 };

static char request[1024], buffer[BUFFER];
static size_t request_length;

static void give_up(const char *what) {
    perror(what);
    exit(1);
}

static void ask(int connection) {
    if (send(connection, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length)
        give_up("send");
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

int main(int count, char **args) {
    if (count != 6) {
        fprintf(stderr, "usage: bare_epoll ADDRESS PORT PATH CONNECTIONS SECONDS\n");
        return 2;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(args[2]))};
    if (inet_pton(AF_INET, args[1], &address.sin_addr) != 1)
        give_up("the address");
    request_length = (size_t)snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", args[3], args[1], args[2]);
    size_t answer = length_of_an_answer(&address), answers = 0;
    int connections = atoi(args[4]), poll = epoll_create1(0);
    size_t *missing = calloc((size_t)connections + 65536, sizeof *missing); /* by descriptor */
    for (int i = 0; i < connections; i++) {
        int connection = dial(&address);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = connection};
        missing[connection] = answer;
        epoll_ctl(poll, EPOLL_CTL_ADD, connection, &event);
        ask(connection);
    }
    struct epoll_event events[EVENTS];
    double end = now() + atof(args[5]);
    while (now() < end) {
        int ready = epoll_wait(poll, events, EVENTS, 100);
        for (int i = 0; i < ready; i++) {
            int connection = events[i].data.fd;
            ssize_t got = recv(connection, buffer, BUFFER, 0);
            if (got <= 0 || (size_t)got > missing[connection])
                give_up("recv");
            if (missing[connection] -= (size_t)got)
                continue;
            answers++;
            missing[connection] = answer;
            ask(connection);
        }
    }
    printf("%zu\n", answers);
    return 0;
}
