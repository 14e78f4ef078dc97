import re
from pathlib import Path

import guestbook
from guestbook import create_app
from guestbook.seed import seed
from guestbook.stores import PAGE_SIZE

STATIC = Path(guestbook.__file__).parent / "static"


def names(answer):
    return re.findall(r"<li><b>(.*?)</b>", answer.text)


def sign(client, name="Ada", message="Hello", **options):
    return client.post("/", data={"name": name, "message": message}, **options)


def test_an_empty_book_says_so(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert "Nobody has signed yet" in answer.text


def test_the_seeded_front_page_is_the_one_of_the_report(client, store):
    seed(store)
    answer = client.get("/")
    assert len(names(answer)) == 50
    assert names(answer)[0] == "Yara"
    assert len(answer.data) == 7398


def test_the_front_page_never_changes_by_itself(client, store):
    seed(store)
    assert client.get("/").data == client.get("/").data


def test_signing_redirects_and_thanks_once(client):
    answer = sign(client)
    assert (answer.status_code, answer.location) == (303, "/")
    first = client.get("/")
    assert "Thank you" in first.text
    assert names(first) == ["Ada"]
    assert "Thank you" not in client.get("/").text


def test_another_worker_reads_the_same_session(path):
    one, other = create_app(path), create_app(path)
    cookie = sign(one.test_client()).headers["Set-Cookie"].split(";")[0]
    visitor = other.test_client()
    visitor.set_cookie(*cookie.split("=", 1))
    assert "Thank you" in visitor.get("/").text


def test_pages_run_from_the_newest_entry_to_the_oldest(client, store):
    for number in range(PAGE_SIZE * 2 + 1):
        store.add(f"n{number}", "x")
    first, second, third = (client.get(f"/?page={page}") for page in (1, 2, 3))
    assert names(first) == [f"n{n}" for n in range(100, 50, -1)]
    assert names(second) == [f"n{n}" for n in range(50, 0, -1)]
    assert names(third) == ["n0"]
    assert 'rel="next"' in first.text and 'rel="prev"' not in first.text
    assert 'rel="next"' in second.text and 'rel="prev"' in second.text
    assert 'rel="next"' not in third.text and 'href="/?page=2"' in third.text


def test_pages_that_do_not_exist_are_not_found(client, store):
    store.add("Ada", "Hello")
    for page in ("0", "-1", "2", "x", "", "1e3", "9" * 30):
        assert client.get(f"/?page={page}").status_code == 404, page


def test_whatever_is_typed_is_shown_as_text(client):
    sign(client, name='<b title="x">', message="<script>alert(1)</script> & 'more'")
    text = client.get("/").text
    assert "<script>alert" not in text and '<b title="x">' not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#39;more&#39;" in text
    refused = sign(client, name='"><img src=x onerror=alert(1)>', message="")
    assert "<img src=x" not in refused.text


def test_what_is_missing_or_too_long_is_refused_and_kept_in_the_form(client, store):
    for fields, complaint in (
        ({"name": " \n ", "message": "kept text"}, "Your name is missing."),
        ({"name": "kept text", "message": "\r\n"}, "Your message is missing."),
        ({"name": "a" * 41, "message": "kept text"}, "Your name is 41 characters long; 40 fit."),
        ({"name": "kept text", "message": "a" * 501}, "Your message is 501 characters long"),
        ({"message": "kept text"}, "Your name is missing."),
    ):
        answer = client.post("/", data=fields)
        assert answer.status_code == 400
        assert complaint in answer.text
        assert "kept text" in answer.text
        assert 'aria-invalid="true"' in answer.text
    assert store.count() == 0


def test_the_longest_entry_that_fits_is_taken(client, store):
    assert sign(client, "ü" * 40, "ü" * 250 + "\r\n" + "ü" * 249).status_code == 303
    entry = store.page(1).entries[0]
    assert (len(entry.name), len(entry.message)) == (40, 500)


def test_control_characters_are_dropped(client, store):
    sign(client, name="A\x00d\x1ba", message="one\r\ntwo\x07")
    entry = store.page(1).entries[0]
    assert (entry.name, entry.message) == ("Ada", "one\ntwo")


def test_a_huge_form_is_refused(client, store):
    assert sign(client, message="a" * 100_000).status_code == 413
    assert store.count() == 0


def test_every_asset_of_the_page_is_there(client):
    assets = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/").text)
    assert len(assets) == 3
    for asset in assets:
        assert client.get(asset).status_code == 200, asset


def test_the_static_page_has_the_size_of_the_report():
    assert len((STATIC / "hello.html").read_bytes()) == 194
