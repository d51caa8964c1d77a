"""Relations: our learners by the command on Popper's tasks and one of exceptions, beside Popper, Aleph and FastLAS.

    python benchmarks/relations.py EXAMPLES [--tasks trains1,zendo1] [--systems unless,fold-r++] [--limit 300]
        [--popper FOLDER --popper-python PYTHON] [--aleph FOLDER] [--fastlas PROGRAM] [--log FILE.jsonl] [--write]

EXAMPLES is the folder `examples` of Popper's repository. Ours are `unless learn --examples ... -o MODEL` and `unless
score MODEL ...`; Popper is run as `popper.py TASK`; of Aleph, FOLDER has `prolog/aleph.pl` (SWI-Prolog's pack), and
modes are written from Popper's types. Seconds are the processor's, of the whole command; a run that needs more than the
limit is stopped, and what Popper had found by then counts. Accuracy is on the examples themselves, size is literals,
heads included, without facts. Results are kept in the log (benchmarks/relations.jsonl), so that a second call measures
only what is not there under this limit; `--write` puts the table into docs/ilp.md.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from unless import __version__
from unless.bench.machine import machine

OURS = ("fold-r", "fold-r++", "unless")
PEERS = {"Popper": "--popper FOLDER", "Aleph": "--aleph FOLDER", "FastLAS": "--fastlas PROGRAM"}
TASKS = ("fly", "trains1", "trains2", "trains3", "trains4", "zendo1", "zendo2", "zendo3")
PAGE = Path(__file__).parents[1] / "docs" / "ilp.md"
LOG = Path(__file__).with_suffix(".jsonl")
FACT = re.compile(r":- name\(X,'[^']*'\)\.$")
"""How a fact of the background stands in a program of ours."""
SOLVED = re.compile(r"TP:(\d+) FN:(\d+) TN:(\d+) FP:(\d+) Size:\d+\n(.*?)\n\*", re.DOTALL)
BEST = re.compile(r"tp:(\d+) fn:(\d+) tn:(\d+) fp:(\d+) size:\d+\n(.*?)\n\*", re.DOTALL)
"""How Popper writes what it ends with, and on the way the best it has."""
CLOCK = 20
"""On a busy machine a second of the processor may take so many of the clock."""
BEGIN, END = "<!-- relations: begin -->", "<!-- relations: end -->"


@dataclass(frozen=True)
class Outcome:
    """One system on one task; no accuracy where it gave no program, and a note where it did not end by itself."""

    task: str
    system: str
    limit: int
    examples: int
    accuracy: float | None
    clauses: int
    literals: int
    seconds: float
    note: str = ""


def write_fly(folder):
    """Write the task of exceptions: birds fly, penguins do not, superpenguins do."""
    kinds = {"robin": 8, "penguin": 5, "superpenguin": 3, "cat": 4}
    names = [(f"{kind}{i}", kind) for kind, n in kinds.items() for i in range(n)]
    facts = [f"bird({name})." for name, kind in names if kind != "cat"]
    facts += [f"penguin({name})." for name, kind in names if kind.endswith("penguin")]
    facts += [f"{kind}({name})." for name, kind in names if kind in ("superpenguin", "cat")]
    signs = {"robin": "pos", "superpenguin": "pos", "penguin": "neg", "cat": "neg"}
    predicates = ("bird", "penguin", "superpenguin", "cat")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bk.pl").write_text("\n".join(sorted(facts)) + "\n")
    (folder / "exs.pl").write_text("\n".join(f"{signs[kind]}(f({name}))." for name, kind in names) + "\n")
    bias = ["head_pred(f,1).", *(f"body_pred({name},1)." for name in predicates), "type(f,(thing,))."]
    (folder / "bias.pl").write_text("\n".join([*bias, *(f"type({name},(thing,))." for name in predicates)]) + "\n")


def run(command, limit, **options):
    """Run a command for at most so many processor seconds; return what it said and what it used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", preexec_fn=limited, check=False, **options
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size_of(text):
    """Count the clauses of a program and its literals, heads included."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("%")]
    clauses = [line for line in lines if not FACT.search(line)]
    n_literals = 0
    for clause in clauses:
        bare = re.sub(r"'(\\.|[^'\\])*'", "w", clause)
        while "(" in bare:
            bare, n = re.subn(r"\([^()]*\)", "", bare)
            if not n:
                break
        n_literals += len(re.split(r":-|,", bare))
    return len(clauses), n_literals


def by_unless(task, folder, system, limit):
    """Learn and score by the command."""
    unless = [sys.executable, "-m", "unless"]
    exs, bk, bias = (str(folder / name) for name in ("exs.pl", "bk.pl", "bias.pl"))
    with tempfile.TemporaryDirectory() as at:
        model = Path(at) / "model.lp"
        learn = [*unless, "learn", "--examples", exs, "--background", bk, "--bias", bias]
        done, seconds = run([*learn, "--algorithm", system, "-o", str(model)], limit)
        if not model.exists():
            return none(task, system, folder, limit, seconds, last_line(done.stderr, limit, seconds))
        scored, _ = run([*unless, "score", str(model), exs, "--background", bk, "--json"], limit)
        text = model.read_text()
    accuracy = json.loads(scored.stdout)["accuracy"]
    return Outcome(task, system, limit, n_examples(folder), accuracy, *size_of(text), seconds)


def by_popper(task, folder, limit, popper, python):
    """Run Popper, and read the best program that it prints; its own limit is of the clock, ours of the processor."""
    clock = str(CLOCK * limit)
    done, seconds = run([python, "popper.py", str(folder.resolve()), "--timeout", clock], limit, cwd=popper)
    said = re.sub(r"^\d\d:\d\d:\d\d ", "", done.stdout + done.stderr, flags=re.MULTILINE)
    ended, found = SOLVED.search(said), BEST.findall(said)
    if ended is None and not found:
        note = "no solution" if "NO SOLUTION" in said else last_line(done.stderr, limit, seconds)
        return none(task, "Popper", folder, limit, seconds, note)
    *counts, text = ended.groups() if ended else found[-1]
    tp, fn, tn, fp = map(int, counts)
    accuracy, note = (tp + tn) / (tp + fn + tn + fp), "" if ended else last_line("stopped", limit, seconds)
    return Outcome(task, "Popper", limit, tp + fn + tn + fp, accuracy, *size_of(text), seconds, note)


def aleph_text(folder, aleph):
    """Write a task for Aleph: modes and determinations from Popper's types, its facts and examples."""
    types, heads, bodies = biased(folder)
    lines = [
        f":- asserta(user:file_search_path(library,'{Path(aleph).resolve()}/prolog')).",
        ":- use_module(library(aleph)).",
    ]
    lines += [":- aleph.", ":- style_check(-discontiguous).", ":- aleph_set(clauselength,7).", ":- aleph_set(i,4)."]
    lines += [":- aleph_set(nodes,50000).", ":- aleph_set(noise,0).", ":- aleph_set(verbosity,0)."]
    lines += [f":- modeh(1,{name}(+{types[name][0]}))." for name, _ in heads]
    for name, n in bodies:
        kinds = types.get(name, ["any"] * int(n))
        rest = [f"-{kind}" for kind in kinds[1:]]
        lines.append(f":- modeb(*,{name}({','.join([f'+{kinds[0]}', *rest])})).")
    lines += [f":- determination({heads[0][0]}/{heads[0][1]},{name}/{n})." for name, n in bodies]
    facts = [line for line in (folder / "bk.pl").read_text().splitlines() if not line.startswith(":-")]
    lines += [":- begin_bg.", *facts, ":- end_bg."]
    for sign, atoms in examples_of(folder).items():
        lines += [f":- begin_in_{sign}.", *(f"{atom}." for atom in atoms), f":- end_in_{sign}."]
    lines += [":- initialization((induce(P), forall(member(C,P), portray_clause(C))))."]
    return "\n".join(lines) + "\n"


def by_aleph(task, folder, limit, aleph):
    """Run Aleph's induce, and check the clauses that it gives against the examples."""
    with tempfile.TemporaryDirectory() as at:
        file = Path(at) / "task.pl"
        file.write_text(aleph_text(folder, aleph))
        done, seconds = run(["swipl", "-q", "-g", "halt", str(file)], limit, stdin=subprocess.DEVNULL)
    matrix = re.search(r"Accuracy = ([\d.]+)", done.stdout + done.stderr)
    printed = done.stdout.partition("[total clauses constructed]")[2].partition("\n")[2]
    text = re.sub(r"\n\s+", " ", printed)
    if matrix is None:
        return none(task, "Aleph", folder, limit, seconds, last_line(done.stderr, limit, seconds))
    return Outcome(task, "Aleph", limit, n_examples(folder), float(matrix[1]), *size_of(text), seconds)


def fastlas_text(folder):
    """Write a task for FastLAS: one example of all atoms, modes from Popper's types, sorts from the facts."""
    types, heads, bodies = biased(folder)
    facts = [line for line in (folder / "bk.pl").read_text().splitlines() if not line.startswith(":-")]
    sorts = set()
    for name, terms in re.findall(r"^(\w+)\(([^()]*)\)\.", "\n".join(facts), re.MULTILINE):
        sorts |= {f"{kind}({term.strip()})." for kind, term in zip(types.get(name, ()), terms.split(","), strict=False)}
    lines = [*facts, *sorted(sorts), f"#modeh({moded(heads[0][0], types)})."]
    lines.append(f"#maxv({4 if any(len(kinds) > 1 for kinds in types.values()) else 1}).")
    lines += [f"#modeb({moded(name, types)})." for name, _ in bodies]
    lines += [f"#modeb(not {moded(name, types)})." for name, _ in bodies if types[name] == types[heads[0][0]]]
    atoms = {sign: ", ".join(found) for sign, found in examples_of(folder).items()}
    lines += ['#bias("penalty(1, head) :- in_head(X).").', '#bias("penalty(1, body(X)) :- in_body(X).").']
    return "\n".join([*lines, f"#pos(all, {{{atoms['pos']}}}, {{{atoms['neg']}}}, {{}})."]) + "\n"


def moded(name, types):
    """Write a predicate with the types of its variables."""
    return f"{name}({','.join(f'var({kind})' for kind in types[name])})"


def by_fastlas(task, folder, limit, fastlas):
    """Run FastLAS, and count what its program concludes by clingo."""
    import clingo

    with tempfile.TemporaryDirectory() as at:
        file = Path(at) / "task.las"
        file.write_text(fastlas_text(folder))
        done, seconds = run([fastlas, "--opl", str(file)], limit)
    learned = "\n".join(line for line in done.stdout.splitlines() if line.strip().endswith("."))
    if not learned:
        # It says UNSATISFIABLE too when the clingo that it runs is stopped.
        is_stopped = seconds > 0.8 * limit or "UNSAT" not in done.stdout
        said = last_line(done.stderr, limit, limit if seconds > 0.8 * limit else 0) if is_stopped else "no solution"
        return none(task, "FastLAS", folder, limit, seconds, said)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], fastlas_text(folder).partition("#modeh")[0] + learned)
    control.ground([("base", [])])
    concluded = set()
    control.solve(on_model=lambda model: concluded.update(map(str, model.symbols(atoms=True))))
    right = [(atom in concluded) == (sign == "pos") for sign, found in examples_of(folder).items() for atom in found]
    return Outcome(task, "FastLAS", limit, len(right), sum(right) / len(right), *size_of(learned), seconds)


def biased(folder):
    """Read Popper's bias: types by predicate, what is learned, what may be asked."""
    text = (folder / "bias.pl").read_text()
    types = {
        name: kinds.strip(",").split(",") for name, kinds in re.findall(r"^type\((\w+),\(([\w,]+)\)\)", text, re.M)
    }
    return types, re.findall(r"head_pred\((\w+),(\d)\)", text), re.findall(r"^body_pred\((\w+),(\d)\)", text, re.M)


def examples_of(folder):
    """Read the atoms of the examples, by sign."""
    found = re.findall(r"(pos|neg)\((\w+\([^()]*\))\)", (folder / "exs.pl").read_text())
    return {sign: [atom for which, atom in found if which == sign] for sign in ("pos", "neg")}


def n_examples(folder):
    """Count the examples of a task."""
    return len(re.findall(r"\b(?:pos|neg)\(", (folder / "exs.pl").read_text()))


def none(task, system, folder, limit, seconds, note):
    """Say that there is no program, and why."""
    return Outcome(task, system, limit, n_examples(folder), None, 0, 0, seconds, note)


def last_line(text, limit, seconds):
    """Say why there is no program."""
    return f"over {limit} s" if seconds >= limit - 1 else (text.strip().splitlines() or ["no program"])[-1][:80]


def page(outcomes, limit):
    """Write the table: a task a row, systems across."""
    systems = list(dict.fromkeys(each.system for each in outcomes))
    found = {(each.task, each.system): each for each in outcomes}
    options = " ".join(PEERS[system] for system in systems if system in PEERS)
    yield f"`python benchmarks/relations.py EXAMPLES --limit {limit} {options} --write`  "
    about = machine()
    yield f"{about['processor']}, {about['cores']} cores; unless {__version__}"
    yield ""
    yield "Accuracy on the examples, literals of the program (heads included), processor seconds of the whole command;"
    yield f"a run of more than {limit} s was stopped."
    yield ""
    yield "| task | examples | " + " | ".join(systems) + " |"
    yield "|---|---|" + "---|" * len(systems)
    for task in dict.fromkeys(each.task for each in outcomes):
        own = [found.get((task, system)) for system in systems]
        yield f"| {task} | {next(each.examples for each in own if each):,} | " + " | ".join(map(shown, own)) + " |"


def shown(outcome):
    """Write one cell."""
    if outcome is None:
        return "not run"
    took = f"{outcome.seconds:.0f} s"
    if outcome.accuracy is not None:
        return f"{outcome.accuracy:.3f}, {outcome.literals}, {outcome.note or took}"
    return outcome.note if outcome.note.startswith("over") else f"{outcome.note}, {took}"


def main():
    """Measure what is asked, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--systems", default="")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--popper")
    parser.add_argument("--popper-python", default=sys.executable)
    parser.add_argument("--aleph")
    parser.add_argument("--fastlas")
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument("--write", action="store_true", help="write the table into docs/ilp.md")
    asked = parser.parse_args()
    given = {"Popper": asked.popper, "Aleph": asked.aleph, "FastLAS": asked.fastlas}
    peers = [name for name, where in given.items() if where]
    systems = asked.systems.split(",") if asked.systems else [*OURS, *peers]
    logged = [Outcome(**json.loads(line)) for line in asked.log.read_text().splitlines()] if asked.log.exists() else []
    done = {(each.task, each.system): each for each in logged if each.limit == asked.limit}
    with tempfile.TemporaryDirectory() as at:
        write_fly(Path(at) / "fly")
        for task in asked.tasks.split(","):
            folder = Path(at) / "fly" if task == "fly" else asked.examples / task
            for system in systems:
                if (task, system) in done:
                    continue
                if system == "Popper":
                    outcome = by_popper(task, folder, asked.limit, asked.popper, asked.popper_python)
                elif system == "Aleph":
                    outcome = by_aleph(task, folder, asked.limit, asked.aleph)
                elif system == "FastLAS":
                    outcome = by_fastlas(task, folder, asked.limit, asked.fastlas)
                else:
                    outcome = by_unless(task, folder, system, asked.limit)
                done[task, system] = outcome
                sys.stderr.write(f"{outcome}\n")
                with asked.log.open("a") as file:
                    file.write(json.dumps(asdict(outcome)) + "\n")
    order = [*OURS, *PEERS]
    outcomes = sorted(done.values(), key=lambda each: (TASKS.index(each.task), order.index(each.system)))
    text = "\n".join(page(outcomes, asked.limit))
    sys.stdout.write(text + "\n")
    if asked.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
