"""The page `/docs`: what is served, what rows hold, and a form to try it, from the same facts as the schema.

In: the programs that are served. Out: one HTML page, which needs nothing from elsewhere; its style and script are files
beside it. Without scripts everything but the form can be read.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from unless.explain.faces.plain_text import program_english
from unless.web.column_facts import example_row
from unless.web.openapi import prefixes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.web.column_facts import ColumnFacts
    from unless.web.served_program import ServedProgram

FILES = {"/docs.css": "text/css; charset=utf-8", "/docs.js": "text/javascript; charset=utf-8"}

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs.css">
<script src="/docs.js" defer></script>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{intro}</p>
{models}
<h2>The server</h2>
<ul>
<li><a href="/models">GET /models</a>: names, versions, since when, and files that cannot be read</li>
<li><a href="/health">GET /health</a>: that the server is up</li>
<li><a href="/metrics">GET /metrics</a>: requests, seconds, and rows by rule, for Prometheus</li>
<li><a href="/openapi.json">GET /openapi.json</a>: all of this, for programs</li>
</ul>
</main>
</body>
</html>
"""


def docs_page(programs: Sequence[ServedProgram], *, strict: bool) -> str:
    """Write the page."""
    names = ", ".join(each.name for each in programs)
    kinds = "refused" if strict else "answered with a warning"
    intro = (
        "Rows are JSON objects with a value per column: a number, text, true or false; null is missing. "
        f"A value of the wrong kind is {kinds}."
    )
    models = "\n".join(_model(each, alone=len(programs) == 1) for each in programs)
    return PAGE.format(title=escape(f"unless serve: {names}"), intro=escape(intro), models=models)


def docs_file(path: str) -> bytes:
    """Read a file beside the page."""
    return files("unless.web").joinpath("docs_files", path.removeprefix("/")).read_bytes()


def _model(served: ServedProgram, *, alone: bool) -> str:
    prefix = prefixes(served, alone=alone)[0]
    example = json.dumps({"rows": [example_row(served.facts)]}, ensure_ascii=False)
    shown = example.replace("'", "'\\''")
    command = f"curl -s http://HOST:PORT{prefix}/predict -H 'content-type: application/json' \\\n  -d '{shown}'"
    fields = "\n".join(_field(f"{served.name}-{i}", each) for i, each in enumerate(served.facts.values()))
    lines = "\n".join(_column(each) for each in served.facts.values())
    return f"""<section>
<h2>{escape(served.name)} <small>version {escape(served.version)}</small></h2>
<p>Predicts <b>{escape(served.program.target.column)}</b>. Ask with POST at <code>{escape(prefix)}/predict</code> or
<code>{escape(prefix)}/explain</code>, compare with another program at <code>{escape(prefix)}/compare</code>, read it at
<a href="{escape(prefix)}/program">{escape(prefix)}/program</a>.</p>
<form class="try" data-path="{escape(prefix)}/predict" hidden>
<h3>Try it</h3>
<div class="fields">
{fields}
</div>
<button>Predict</button>
<output aria-live="polite"></output>
</form>
<h3>From a shell</h3>
<pre>{escape(command)}</pre>
<h3>Columns</h3>
<div class="wide"><table>
<thead><tr><th scope="col">column</th><th scope="col">kind</th><th scope="col">what is known</th></tr></thead>
<tbody>
{lines}
</tbody>
</table></div>
<h3>Rules</h3>
<pre class="rules">{escape(program_english(served.program))}</pre>
</section>"""


def _column(facts: ColumnFacts) -> str:
    cells = "".join(f"<td>{escape(text)}</td>" for text in (facts.kind, facts.described()))
    return f'<tr><th scope="row">{escape(facts.source)}</th>{cells}</tr>'


def _field(name: str, facts: ColumnFacts) -> str:
    """Write a field of the form; words that are tested are offered, others can be typed."""
    key = escape("".join(name.split()))
    value = facts.examples[0] if facts.examples else ""
    options = "".join(f'<option value="{escape(str(each))}">' for each in dict.fromkeys(map(str, facts.examples)))
    options += "".join(f'<option value="{escape(word)}">' for word in facts.words[5:] if facts.kind == "categorical")
    return (
        f'<label>{escape(facts.source)}<input name="{escape(facts.source)}" data-kind="{facts.kind}" list="{key}" '
        f'value="{escape(str(value))}"></label><datalist id="{key}">{options}</datalist>'
    )
