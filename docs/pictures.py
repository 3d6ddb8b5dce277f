"""The pictures of README and the site, from the Dual lab as a file; `python docs/pictures.py` draws them.

`dual-lab.png` is the page after the gap has closed; `dual-lab.webp` moves, one picture a pass over the data.
"""

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from workbench.pages import export

HERE = Path(__file__).parent
STATE = "#source=Breast%20cancer&lam=0.01"
SIZE = {"width": 1280, "height": 720}
PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
PASSES, SMALL, MILLISECONDS = 16, (960, 540), 400


def main():
    """Draw the pictures of the documents."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "dual-lab.html"
        export.export("dual-lab", file)
        browser = driver.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        page = browser.new_context(offline=True, viewport=SIZE).new_page()
        page.set_default_timeout(0)
        page.goto(file.as_uri() + STATE)
        page.locator(".wb-hosted[data-status=converged]").wait_for()
        page.screenshot(path=HERE / "dual-lab.png")
        page.get_by_role("button", name="reset", exact=True).click()
        page.locator(".wb-hosted[data-status=paused]").wait_for()
        frames = []
        for _ in range(PASSES):
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(SMALL))
            before = page.locator(".wb-hosted").get_attribute("data-step")
            page.get_by_role("button", name="epoch", exact=True).click()
            page.locator(f".wb-hosted[data-status=paused]:not([data-step='{before}'])").wait_for()
        browser.close()
    first, *others = frames
    times = [MILLISECONDS] * len(others) + [4 * MILLISECONDS]
    moving = {"save_all": True, "append_images": others, "duration": times, "loop": 0}
    first.save(HERE / "dual-lab.webp", quality=60, **moving)


if __name__ == "__main__":
    main()
