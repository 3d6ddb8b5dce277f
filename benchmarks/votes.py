"""A class that votes, scripted: python benchmarks/votes.py [VOTERS] [WORKERS] [PAGE].

A lecturer and two students sit at browsers; the other voters are websocket clients that speak Bokeh's
protocol. All of them follow the link of a vote and answer in two rounds, each client twice in each, since the
second answer of a browser must not count. Prints the counts that were cast and those that the lecturer sees,
the time from an answer to its sentence and from a new round to the ballot that shows it, and the processor
time of each process of the server.
"""

import asyncio
import json
import re
import sys
import time
from collections import Counter

import load
from tornado.httpclient import AsyncHTTPClient

from tests.helpers.page_browser import looped_chromium
from tests.helpers.wire import Wire

VOTERS, WORKERS, PAGE, ROUNDS = 100, 2, "bias", 2
# What is not there by then never comes.
PATIENCE = 240.0
COUNTED, REFUSED, ANSWERS = "Counted: ", "in this round already", "data-option"


class Voter:
    """A client; `spent` has the seconds from each answer to its sentence, `waited` those to each round."""

    def __init__(self, base, page, number):
        self.base, self.page, self.number = base, page, number
        self.spent, self.waited, self.refused = [], [], 0
        self.heard, self.told = asyncio.Event(), ""

    async def open(self):
        self.wire = await Wire.open(self.base, self.page, patience=PATIENCE)
        document = json.dumps(await self.wire.document())
        self.browser = _browser(document)
        load.Visitor._event(self, "document_ready")
        self.told = document
        self.reading = asyncio.ensure_future(self._read())

    async def _read(self):
        while True:
            header, content = await self.wire.message()
            if header["msgtype"] == "PATCH-DOC":
                self.told += json.dumps(content)
                self.heard.set()

    async def says(self, words):
        """Wait until the ballot has said this since it was asked last."""
        while words not in self.told:
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), PATIENCE)

    async def vote(self, number, option, begun):
        await self.says(f"Round {number}")
        self.waited.append(time.perf_counter() - begun)
        for words in (COUNTED, REFUSED):
            self.told, asked = "", time.perf_counter()
            answer = {"vote": option, "voter": f"client {self.number}"}
            load.Visitor._event(self, "data_event", model={"id": self.browser}, data=answer)
            await self.says(words)
            if words is COUNTED:
                self.spent.append(time.perf_counter() - asked)
            else:
                self.refused += 1


def _browser(document):
    """The id of what answers for the browser of a page, in the JSON of its document."""
    found = []

    def walk(node):
        if isinstance(node, dict):
            attributes = node.get("attributes")
            data = attributes.get("data") if isinstance(attributes, dict) else None
            if isinstance(data, dict) and re.fullmatch(r"Browser\d*", str(data.get("name", ""))):
                found.append(node["id"])
            node = list(node.values())
        for each in node if isinstance(node, list) else ():
            walk(each)

    walk(json.loads(document))
    return found[0]


async def lesson(server, browser, page, count):
    """Hold the vote; returns the voters and, for each round, what was cast and what the lecturer saw."""
    lecturer = await browser.new_page()
    lecturer.set_default_timeout(1000 * PATIENCE)
    await lecturer.goto(server.base + page)
    await lecturer.get_by_role("button", name="Let the class vote").click()
    token = await lecturer.locator("[data-vote]").get_attribute("data-vote")
    address = f"{page}?vote={token}"
    voters = [Voter(server.base, address, number) for number in range(count)]
    started = time.perf_counter()
    await asyncio.gather(*(voter.open() for voter in voters))
    students = [await (await browser.new_context()).new_page() for _ in range(2)]
    for student in students:
        student.set_default_timeout(1000 * PATIENCE)
        await student.goto(server.base + address)
    took = time.perf_counter() - started
    print(f"{count} clients and {len(students)} students have come after {took:.1f} s")
    await students[0].locator(".wb-answer").first.wait_for()
    options = await students[0].locator(".wb-answer").all_inner_texts()
    rounds, begun = [], time.perf_counter()
    for number in range(1, ROUNDS + 1):
        # After the discussion two of three have changed to the last answer.
        last, stays = len(options) - 1, lambda k, first=number == 1: first or k % 3 == 0
        picks = [k % len(options) if stays(k) else last for k in range(count + 2)]
        votes = zip(voters, picks, strict=False)
        await asyncio.gather(*(each.vote(number, pick, begun) for each, pick in votes))
        for student, pick in zip(students, picks[count:], strict=True):
            await student.get_by_role("button", name=options[pick], exact=True).click()
            await student.get_by_text(COUNTED).wait_for()
        await lecturer.get_by_text(f"Round {number}: {count + 2} answers").wait_for()
        hidden = await lecturer.locator(".wb-bars thead th").count() == number - 1
        await lecturer.get_by_role("button", name="Close the vote").click()
        await lecturer.locator(".wb-bars thead th").nth(number - 1).wait_for()
        cells = await lecturer.locator(".wb-bars tbody tr").evaluate_all(
            "(rows) => rows.map((row) => Number(row.lastElementChild.innerText))"
        )
        cast = Counter(picks)
        rounds.append(([cast[k] for k in range(len(options))], cells, hidden))
        if number < ROUNDS:
            begun = time.perf_counter()
            await lecturer.get_by_role("button", name="Vote again").click()
    await lecturer.get_by_role("button", name="End the vote").click()
    for student in students:
        await student.get_by_text("This vote is over").wait_for()
    for voter in voters:
        voter.reading.cancel()
        voter.wire.socket.close()
    return voters, rounds


async def measure(server, page, count):
    async with looped_chromium() as browser:
        return await lesson(server, browser, page, count)


def main(count=VOTERS, workers=WORKERS, page=PAGE):
    server = load.Server(workers, 10 * count, page)
    AsyncHTTPClient.configure(None, max_clients=10 * count)
    try:
        voters, rounds = asyncio.run(measure(server, page, count))
        spent = server.seconds_each()
    finally:
        server.end()
    for number, (cast, seen, hidden) in enumerate(rounds, 1):
        state = "hidden until closed" if hidden else "SEEN BEFORE THE END"
        print(f"round {number}: cast {cast}, counted {seen}, counts {state}")
    print(f"second answers refused: {sum(voter.refused for voter in voters)} of {ROUNDS * count}")
    for what, found in (
        ("an answer to its sentence", [each for voter in voters for each in voter.spent]),
        ("a second round to the ballot", [voter.waited[-1] for voter in voters]),
    ):
        shares = (f"p{share} {load.quantile(found, share / 100):.2f} s" for share in (50, 95, 100))
        print(f"{what}: {', '.join(shares)}")
    print("processor time of each process: " + ", ".join(f"{each:.1f} s" for each in spent))
    return all(cast == seen and hidden for cast, seen, hidden in rounds)


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:3]]
    sys.exit(not main(*numbers, *sys.argv[3:4]))
