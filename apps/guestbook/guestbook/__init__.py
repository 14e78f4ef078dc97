"""A guestbook: one page of entries, newest first, and a form to add one.

Settings from the environment:
  GUESTBOOK_DATA    file in which entries are kept; a relative path starts at the app's folder
  GUESTBOOK_STORE   a database that keeps them instead: `sqlite` (beside that file), or an address such
                    as `postgresql://user@host/database`, `mysql://user@host/database`
  GUESTBOOK_CACHE   memcached in front of it: `memcached://host:port`, `memcached:///path/of/socket`
  GUESTBOOK_SECRET  signs the session cookie that carries flash messages
"""

import os
from pathlib import Path

from flask import Flask, abort, flash, redirect, render_template, request, url_for

from guestbook.form import Form
from guestbook.secret import shared_secret
from guestbook.stores import Store, open_store

FOLDER = Path(__file__).resolve().parent.parent
LARGEST_FORM = 64 * 1024


def data_path() -> Path:
    return FOLDER / os.environ.get("GUESTBOOK_DATA", "data/guestbook")


def configured_store(path: Path) -> Store:
    return open_store(path, os.environ.get("GUESTBOOK_STORE", ""), os.environ.get("GUESTBOOK_CACHE", ""))


def create_app(path: Path | None = None, store: Store | None = None) -> Flask:
    path = path or data_path()
    store = store or configured_store(path)
    app = Flask(__name__)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        SECRET_KEY=os.environ.get("GUESTBOOK_SECRET") or shared_secret(path),
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    @app.get("/")
    def entries():
        return show(Form())

    @app.post("/")
    def sign():
        form = Form.read(request.form)
        if form.errors:
            return show(form), 400
        store.add(form.name, form.message)
        flash("Thank you, your entry is in the book.")
        return redirect(url_for("entries"), code=303)

    def show(form: Form) -> str:
        try:
            number = int(request.args.get("page", "1"))
        except ValueError:
            abort(404)
        page = store.page(number)
        if page is None:
            abort(404)
        return render_template("entries.html", page=page, form=form)

    return app


app = create_app()
