"""Fills the book with the fifty entries that measurements are made with: python -m guestbook.seed

Running it again changes nothing. A book with other entries in it is somebody's: it is left alone
unless --replace is given.
"""

import argparse
import sys
from datetime import datetime, timedelta, timezone

from guestbook import configured_store, data_path
from guestbook.stores import Entry, Store, open_store

FIRST = datetime(2014, 3, 1, 9, 12, tzinfo=timezone.utc)
APART = timedelta(hours=31, minutes=17)

SIGNED = """\
Ada|First! What a lovely little place you have here.
Björn|Greetings from Göteborg, where it is still snowing.
Chloé|J'adore. Please keep the paper texture as it is.
Dmitri|Found you through a book about Python. Hello!
Esra|Does anybody remember guestbooks with MIDI music?
Farid|Short and sweet, just like this message should be.
Grace|A bug was here, but I taped it into the logbook.
Hiro|こんにちは! The page loads quickly even from Kyoto.
Ines|Saludos desde Sevilla. Volveré el próximo invierno.
Jonas|Is there a feed I could follow? I would like one.
Kavita|My students tried to break the form. It held up.
Liam|I <3 this. No frames, no pop-ups, only people.
Mwamba|Signed on a phone from a bus somewhere in Lusaka.
Nadia|The quill in the corner is a very nice touch.
Olga|We were here in spring, and we shall come again.
Pablo|2 + 2 = 4 & 4 < 5, and nobody mangled my message.
Qing|Would you add a search box once the book is full?
Rosa|Thank you for the recipe, the bread came out well.
Sven|Reading all the entries with my morning coffee.
Tomoko|My grandfather kept a guestbook for forty years.
Umar|Testing, testing. Does this thing work? It does!
Vera|Best wishes to everybody who reads this far down.
Wim|Came for the benchmark, stayed for the company.
Xenia|"To sign, or not to sign?" I think I just did.
Yusuf|Your server room must be warm with all this load.
Zoë|Last in the alphabet, never last to sign a book.
Anton|I read it on a train and the tunnel ate my reply.
Beatriz|Obrigada! The little script counts my letters.
Carl|Please tell the webmaster that the webmaster rocks.
Dilara|My cat walked over the keyboard: fghj,,,,,. Sorry.
Emil|Hello from the museum. Room 4 is worth a visit.
Fatima|How many entries fit on a page? Fifty, it seems.
Gianni|Ciao a tutti! We loved the garden and the lemons.
Hanna|Printed this page for my aunt, and it looked fine.
Igor|One more entry and there will be exactly thirty-six.
Jin|I will bring my friends here, if they ever wake up.
Karel|Works in a text browser too. That made my evening.
Lotte|The weather was poor, but the welcome was warm.
Mateo|Could you make the font a little larger? Gracias.
Noor|We got lost on the way here and enjoyed every mile.
Oskar|I signed in 2003 as well. Where has that page gone?
Priya|Everything escaped properly: <script>alert(1)</script>
Quentin|A plain page that answers at once. More of that!
Ruth|See you in September, same place and same table.
Stefan|Grüße aus Graz! Schön, dass es so etwas noch gibt.
Tariq|I have nothing to say, but I wanted to be here.
Ursula|The map was right, and the bridge was really closed.
Vikram|If you can read this, the shelf has not collapsed.
Wanda|Nice to see names I know. Hello Olga, hello Tomoko!
Yara|The fiftieth entry. Do I win something for that?"""


def entries() -> list[Entry]:
    """The fifty entries, oldest first; the same ones each time."""
    signed = (line.split("|", 1) for line in SIGNED.splitlines())
    return [
        Entry(name, message, FIRST + index * APART)
        for index, (name, message) in enumerate(signed)
    ]


def seed(store: Store, replace: bool = False) -> bool:
    """Makes the store hold exactly the fifty entries; False if it holds others and may not."""
    wanted = entries()
    page = store.page(1)
    if page.count == len(wanted) and page.entries == wanted[::-1]:
        return True
    if page.count and not replace:
        return False
    store.replace(wanted)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="guestbook.seed", description=__doc__.splitlines()[0])
    parser.add_argument("--replace", action="store_true", help="drop the entries that are there")
    parser.add_argument("--also", metavar="STORE", action="append", default=[], help="another store, as GUESTBOOK_STORE names it")
    arguments = parser.parse_args()
    path = data_path()
    stores = [configured_store(path), *(open_store(path, url) for url in arguments.also)]
    for store in stores:
        if not seed(store, arguments.replace):
            print(
                f"{path}: holds {store.count()} entries that visitors wrote; --replace drops them",
                file=sys.stderr,
            )
            return 1
        print(f"{path}: {store.count()} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
