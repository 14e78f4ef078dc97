/* What the kernel alone asks for: a closed loop of send, epoll_wait and recv, which knows nothing of
 * HTTP but how many bytes an answer has. No load generator that uses these calls can cost less.
 *
 * usage: bare_epoll ADDRESS PORT PATH CONNECTIONS SECONDS
 * Prints the number of whole answers. */
#include "bare.h"
#include <sys/epoll.h>

enum { EVENTS = 1024 };

int main(int count, char **args) {
    size_t answer = begin(count, args), answers = 0;
    int connections = atoi(args[4]), poll = epoll_create1(0);
    size_t *missing = none_came(connections);
    int *opened = calloc((size_t)connections, sizeof *opened);
    for (int i = 0; i < connections; i++) {
        int connection = dial();
        struct epoll_event event = {.events = EPOLLIN, .data.fd = connection};
        missing[connection] = answer;
        epoll_ctl(poll, EPOLL_CTL_ADD, connection, &event);
        opened[i] = connection;
    }
    /* not before, as a server that answers accepts few */
    for (int i = 0; i < connections; i++)
        ask(opened[i]);
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
