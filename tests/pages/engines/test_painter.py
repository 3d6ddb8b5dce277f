"""The loop that draws in the browser: what comes while a picture is under way is drawn as well."""

from tests.helpers.node_engine import module_script, printed

# The second picture was asked for before the state changed, and is seen after.
LATE = """
class Late extends Painter {
  state = 0;
  next = null;
  shown = [];
  async paint() {
    const asked = this.next ?? Promise.resolve(this.state);
    this.next = null;
    this.shown.push(await asked);
    if (this.shown.length > 1) return;
    this.next = Promise.resolve(this.state);
    this.state = 1;
    this.soon();
  }
  refuse(error) { throw error; }
}
const late = new Late();
late.soon().then(() => console.log(JSON.stringify(late.shown)));
"""


def test_the_last_picture_is_of_the_last_state():
    assert printed(module_script("runtime/painter") + LATE) == [0, 0, 1]
