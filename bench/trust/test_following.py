"""What a plan can do of an advice by itself."""

import unittest
from unittest import mock

import following
import lab


def server(entry, knobs=(), **scale):
    return {"entry": entry, "knobs": [list(knob) for knob in knobs], "scale": scale}


def found(kind, text="do it", cost="app", **more):
    return {"kind": kind, "next": text, "cost": cost, **more}


GUNICORN = server("gunicorn", [("workers", 2), ("reuse-port", False)], processes="workers")


class Following(unittest.TestCase):
    def way(self, finding, *servers):
        return str(following.way(finding, servers, 50))

    def why(self, finding, *servers):
        with self.assertRaises(following.Undone) as why:
            following.way(finding, servers, 50)
        return str(why.exception)

    def test_more_processes_are_a_knob_or_instances_behind_a_front_end(self):
        database = server("postgresql") | {"service": "database"}
        for kind in "every-core-busy", "queue-overflow":
            self.assertEqual(self.way(found(kind), server("nginx"), GUNICORN, database), "server.workers = 4")
        own = server("command")
        self.assertEqual(self.way(found("queue-overflow"), server("nginx"), own, own), "server.instances = 4")
        with mock.patch.object(following.shutil, "which", return_value="/usr/sbin/nginx"):
            self.assertEqual(self.way(found("queue-overflow"), own), "server.instances = 2, front = nginx")
        with mock.patch.object(following.shutil, "which", return_value=None):
            self.assertIn("is not installed", self.why(found("queue-overflow"), own))
        one = server("node", [("workers", 0)], processes="workers")
        self.assertIn("workers = 0, which cannot be doubled", self.why(found("every-core-busy"), one))

    def test_a_number_that_the_text_names_is_set_in_its_program(self):
        text = "set `server-maxconn` of `haproxy` to 8: then requests wait in the front end"
        shorter = found("limits-out-of-order", text, "knob")
        way = following.way(shorter, [server("haproxy"), GUNICORN], 50)
        self.assertEqual((str(way), way.metric), ("front.server-maxconn = 8", "p99"))
        self.assertEqual(self.way(shorter, server("nginx"), server("haproxy"), GUNICORN), "front.1.server-maxconn = 8")
        raised = found("front-queues", "raise `workers` of `gunicorn` from 2 to 6", "knob")
        self.assertEqual(self.way(raised, server("nginx"), GUNICORN), "server.workers = 6")
        many = found("one-core", "it has 2 workers: load with more connections (`-c`), each of which is one worker's")
        self.assertEqual(self.way(many, GUNICORN), "load.connections = 100")

    def test_switches_that_are_off_are_switched_on(self):
        self.assertEqual(self.way(found("uneven-workers"), server("nginx"), GUNICORN), "server.reuse-port = true")
        delays = server("unicorn", [("tcp-nodelay", False)])
        self.assertEqual(self.way(found("delayed-acknowledgements"), delays), "server.tcp-nodelay = true")
        self.assertEqual(self.why(found("uneven-workers", cost="knob"), delays), following.REASONS["knob"])

    def test_front_ends_keep_connections(self):
        kept = "let clients keep their connections: a front end keeps them for a server that cannot"
        with mock.patch.object(following.shutil, "which", return_value="/usr/sbin/nginx"):
            self.assertEqual(self.way(found("connection-churn", kept, "variant"), GUNICORN), "front = nginx")
            held = found("idle-connections", "put a front end before `gunicorn` that keeps clients' connections", "variant")
            self.assertEqual(self.way(held, GUNICORN), "front = nginx")
            self.assertEqual(self.why(held, server("nginx"), GUNICORN), following.REASONS["variant"])
        slower = f"{kept}, but `behind` of this run did 0.9 × as many requests/s"
        self.assertEqual(self.why(found("connection-churn", slower, "variant"), GUNICORN), following.REASONS["variant"])
        nginx = server("nginx", [("upstream-keepalive", 0)], kept="upstream-keepalive")
        self.assertEqual(self.way(found("front-heavier"), nginx, GUNICORN), "front.upstream-keepalive = 64")
        nginx["knobs"] = [["upstream-keepalive", 32]]
        self.assertEqual(self.why(found("front-heavier", cost="knob"), nginx, GUNICORN), following.REASONS["knob"])

    def test_what_no_plan_can_do_has_a_reason(self):
        for cost, reason in following.REASONS.items():
            self.assertEqual(self.why(found("pauses", cost=cost), GUNICORN), reason)
        self.assertIn("weir did not start", self.why(found("every-core-busy")))
        self.assertIn("beside this variant", self.why(found("every-core-busy", measured={}), GUNICORN))

    def test_every_finding_that_has_a_way_is_one_of_weirs(self):
        listed = (lab.ROOT / "crates/judge/src/findings/mod.rs").read_text()
        for kind in {*following.WAYS, *following.TIMES}:
            self.assertIn(f"= {kind.replace('-', '_')},", listed)

    def test_a_variant_is_like_another_one_but_for_that(self):
        way = following.Way({"server.reuse-port": True}, "nginx")
        wanted = '[[variant]]\nname = "with"\nlike = "one"\nfront = "nginx"\nset = { "server.reuse-port" = true }\n'
        self.assertEqual(way.table("with", "one"), wanted)
        self.assertNotIn("set", following.Way(front="nginx").table("with", "one"))
