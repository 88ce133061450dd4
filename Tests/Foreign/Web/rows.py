"""The rows of a queue as a page shows them, and a finger or a mouse on them."""

import json

from .browser import Browser


def order(window: Browser) -> list[str]:
    return window.run("""return [...document.querySelectorAll('castq-queue li')]
      .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map(one => one.querySelector('.title').innerText)""")


def until_order(window: Browser, wanted: list[str]):
    window.wait("""JSON.stringify([...document.querySelectorAll('castq-queue li')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
      .map(one => one.querySelector('.title').innerText)) === JSON.stringify(values[0])
      && !document.querySelector('castq-queue li[data-pending]')""", wanted)


def grip(title: str) -> str:
    return f"""[...document.querySelectorAll('castq-queue li')].find(one => one.innerText.includes({json.dumps(title)}))"""


def pointer(window: Browser, kind: str, title: str, places: int, hold: bool = False):
    """Drags a row by its grip with a mouse or a finger."""
    # The page may still be laid out: the grip is taken when it rests and nothing lies over it.
    window.run(f"globalThis.rests = null; {grip(title)}.scrollIntoView({{block: 'center'}});")
    window.wait(f"""(() => {{ const grip = {grip(title)}.querySelector('[data-part=grip]'), box = grip.getBoundingClientRect();
      const before = globalThis.rests; globalThis.rests = box.y;
      return before === box.y && grip.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }})()""")
    box = window.run(f"""const row = {grip(title)}; row.scrollIntoView({{block: 'center'}});
      const box = row.querySelector('[data-part=grip]').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];""")
    x, y, to = box[0], box[1], box[1] + places * 60
    send = window.driver.execute_cdp_cmd
    if kind == "touch":
        point = lambda at: [{"x": x, "y": at}]
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point(y)})
        for part in (0.3, 0.7, 1):
            send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": point(y + (to - y) * part)})
        if not hold:
            send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        send("Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
        for part in (0.3, 0.7, 1):
            send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y + (to - y) * part, "button": "left", "buttons": 1})
        if not hold:
            send("Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x, "y": to, "button": "left", "clickCount": 1})
    return x, to
