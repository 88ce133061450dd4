"""What axe-core finds on a page."""

from .browser import Browser

PAGES = {
    "/": "screens", "/d/lobby": "device", "/d/lobby?tab=health": "health", "/schedule": "schedule",
    "/schedule?view=week&device=foyer": "week", "/schedule?edit=breakfast&why=now&device=foyer": "drawer",
    "/library": "library", "/history": "history", "/reports": "reports", "/doctor": "doctor", "/settings": "settings",
}


def violations(window: Browser, script: str) -> list[str]:
    """Each violation with the first element that has it; empty when there is none."""
    window.run("if (!globalThis.axe) { %s }" % script)
    found = window.driver.execute_async_script("""
      const done = arguments[arguments.length - 1];
      axe.run(document, {resultTypes: ['violations']}).then(
        (result) => done(result.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary.slice(0, 260)}`)),
        (error) => done([String(error)]));""")
    return found
