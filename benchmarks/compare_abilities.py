"""What each rule learner of compare.py can do beyond two labels, tried on small tables; and names to look for.

In: nothing but the packages. Out: for each learner what it answered, or what it raised; and those of the names below
that its package has. A name that is not here may be there: whoever knows one adds it.
"""

from __future__ import annotations

import importlib
import inspect

REGRESSORS = {
    "imodels FIGS": "imodels.FIGSRegressor",
    "imodels RuleFit": "imodels.RuleFitRegressor",
    "interpret EBM": "interpret.glassbox.ExplainableBoostingRegressor",
    "RuleKit": "rulekit.regression.RuleRegressor",
}
CLASSIFIERS = {
    "unless": "unless.UnlessClassifier",
    "FOLD-R++, ours": "unless.FoldRPPClassifier",
    "wittgenstein RIPPER": "wittgenstein.RIPPER",
    "imodels FIGS": "imodels.FIGSClassifier",
    "imodels RuleFit": "imodels.RuleFitClassifier",
    "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier",
    "RuleKit": "rulekit.classification.RuleClassifier",
}
NAMED = {
    "why one row": {
        "unless": "unless.UnlessClassifier.explain",
        "foldrpp": "foldrpp.foldrpp.Foldrpp.proof_trees",
        "wittgenstein RIPPER": "wittgenstein.RIPPER.predict(give_reasons)",
        "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier.explain_local",
        "RuleKit": "rulekit.classification.RuleClassifier.get_coverage_matrix",
    },
    "what would change a decision": {"unless": "unless.UnlessClassifier.recourse"},
    "are two models equal on all rows": {"unless": "unless.logic.reason.difference.difference"},
    "change a rule by hand": {
        "unless": "unless.UnlessClassifier.from_program",
        "wittgenstein RIPPER": "wittgenstein.RIPPER.replace_rule",
        "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier.remove_terms",
    },
    "rules of an expert, kept": {
        "unless": "unless.UnlessClassifier(locked)",
        "wittgenstein RIPPER": "wittgenstein.RIPPER.fit(initial_model)",
        "RuleKit": "rulekit.classification.ExpertRuleClassifier.fit(expert_rules)",
    },
    "what may not be asked": {
        "unless": "unless.UnlessClassifier(forbidden)",
        "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier(exclude)",
        "RuleKit": "rulekit.classification.ExpertRuleClassifier.fit(expert_forbidden_conditions)",
    },
    "directions that must hold": {
        "unless": "unless.UnlessClassifier(monotonic_cst)",
        "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier(monotone_constraints)",
    },
    "the model for another engine": {
        "unless": "unless.export.targets.export_program",
        "foldrpp": "foldrpp.foldrpp.Foldrpp.asp",
        "interpret EBM": "interpret.glassbox.ExplainableBoostingClassifier.to_json",
    },
    "files larger than memory": {"unless": "unless.UnlessClassifier.fit_files"},
}


def found(name):
    """Return what a dotted name stands for; a parameter in brackets must be one of it."""
    path, _, parameter = name.rstrip(")").partition("(")
    words = path.split(".")
    for n in range(len(words) - 1, 0, -1):
        try:
            one = importlib.import_module(".".join(words[:n]))
        except ImportError:
            continue
        for word in words[n:]:
            one = getattr(one, word)
        if parameter and parameter not in inspect.signature(one).parameters:
            msg = f"{path} has no parameter {parameter}"
            raise AttributeError(msg)
        return one
    raise ImportError(name)


def numbers():
    """Return a table of two numbers whose sum decides."""
    import pandas as pd

    return pd.DataFrame({"a": [float(i % 12) for i in range(120)], "b": [float(i % 7) for i in range(120)]})


def three_labels(title):
    """Fit three labels; return which were predicted."""
    X = numbers()
    y = ["low" if a < 4 else "middle" if a < 8 else "high" for a in X["a"]]
    if title == "Orange CN2":
        return _cn2_labels(X, y)
    model = found(CLASSIFIERS[title])()
    if title == "wittgenstein RIPPER":
        model.fit(X, y=y)
    else:
        model.fit(X, y)
    return sorted({str(label) for label in model.predict(X)})


def _cn2_labels(X, y):
    from Orange.classification.rules import CN2UnorderedLearner
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    target = DiscreteVariable("label", ["low", "middle", "high"])
    domain = Domain([ContinuousVariable(name) for name in X], target)
    table = Table.from_list(domain, [[*row, label] for row, label in zip(X.to_numpy().tolist(), y, strict=True)])
    return sorted({target.values[int(i)] for i in CN2UnorderedLearner()(table)(table)})


def a_number(title):
    """Fit a regressor of the package; return how far off it is on average."""
    X = numbers()
    y = (2 * X["a"] + X["b"]).to_numpy()
    predicted = found(REGRESSORS[title])().fit(X, y).predict(X)
    return float(abs(predicted - y).mean())


def survival(_title):
    """Fit survival rules; return for how many rows a curve comes back."""
    X = numbers().assign(time=[10.0 + i % 12 for i in range(120)])
    model = found("rulekit.survival.SurvivalRules")(survival_time_attr="time")
    return len(model.fit(X, ["1" if i % 3 else "0" for i in range(120)]).predict(X))


TRIED = {
    "three labels": (three_labels, [*CLASSIFIERS, "Orange CN2"]),
    "numbers to predict (regression)": (a_number, list(REGRESSORS)),
    "survival": (survival, ["RuleKit"]),
}


def abilities(title):
    """Try a learner and look for its names; whatever is raised is the finding."""
    said = {}
    for what, (attempt, titles) in TRIED.items():
        if title in titles:
            said[what] = _tried(attempt, title)
    for what, names in NAMED.items():
        if title in names:
            said[what] = _tried(lambda name: found(name) and "", names[title])
    return said


def _tried(attempt, argument):
    try:
        return {"answer": attempt(argument)}
    except Exception as error:
        first = str(error).strip().splitlines() or [""]
        return {"error": f"{type(error).__name__}: {first[0][:90]}"}


def _short(name):
    """Leave the modules off a dotted name."""
    words = name.split(".")
    first = next((i for i, word in enumerate(words) if word[0].isupper()), len(words) - 1)
    return ".".join(words[first:])


def page(answers):
    """Write a line for each ability: who has it, under which name, and who refused."""
    lines = ["| what | who | found by |", "|---|---|---|"]
    notes = []
    for what in (*TRIED, *NAMED):
        who = []
        for title, said in answers.items():
            if what not in said:
                continue
            name = f": `{_short(NAMED[what][title])}`" if what in NAMED else ""
            is_there = "error" not in said[what] and (what != "three labels" or len(said[what]["answer"]) == 3)
            if is_there:
                who.append(f"{title}{name}")
            else:
                notes.append(f"{title}, {what}: `{said[what].get('error') or said[what]['answer']}`")
                who.append(f"not {title} ({len(notes)})")
        lines.append(f"| {what} | {'; '.join(who)} | {'a fit' if what in TRIED else 'the name'} |")
    return "\n".join([*lines, "", *(f"{i}. {note}" for i, note in enumerate(notes, 1))])
