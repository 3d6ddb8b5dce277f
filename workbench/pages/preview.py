"""The preview of a link to a page: its title, its sentence and the curves of its card."""

import functools
import html
import io

from workbench.pages import registry
from workbench.pages.home import pictures
from workbench.pages.theme import LIGHT

# In pixels, as those who show previews ask for.
WIDTH, HEIGHT, EDGE, LINE = 1200, 630, 60, 9
TITLE, BRAND = 68, 34
# Drawn larger by this factor, for smooth edges.
FINE = 2


def title(name, sentence=""):
    """The tags in a head that give the title of a page, and what is said of it."""
    properties = {"type": "website", "site_name": "Duality Workbench", "title": name}
    return _tags(properties | ({"description": sentence} if sentence else {}))


def picture(address):
    """Those that give its picture; most who read these want a whole address."""
    return _tags({"image": address, "image:width": WIDTH, "image:height": HEIGHT})


def _tags(tags):
    return "".join(
        f'<meta property="og:{name}" content="{html.escape(str(text))}">\n' for name, text in tags.items()
    )


@functools.cache
def png(name):
    """The picture of a page, bytes.

    Raises
    ------
    InputError
        There is no page of that name.
    """
    from PIL import Image, ImageDraw, ImageFont

    page, k = registry.of(name), FINE
    image = Image.new("RGB", (k * WIDTH, k * HEIGHT), LIGHT.paper)
    draw = ImageDraw.Draw(image)
    for size, text, ink, down in (
        (TITLE, page.title, LIGHT.ink, 40),
        (BRAND, "Duality Workbench", LIGHT.muted, 124),
    ):
        draw.text((k * EDGE, k * down), text, ink, ImageFont.load_default(k * size))
    top = 190
    paths = pictures.placed(pictures.curves_of(page), k * WIDTH, k * (HEIGHT - top), k * EDGE)
    for path, colour in zip(paths, (LIGHT.blue, LIGHT.vermillion), strict=False):
        draw.line([(x, y + k * top) for x, y in path.tolist()], colour, k * LINE, joint="curve")
    file = io.BytesIO()
    image.reduce(k).save(file, "PNG", optimize=True)
    return file.getvalue()
