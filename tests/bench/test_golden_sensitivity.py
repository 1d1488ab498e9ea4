"""The golden cases notice every weight; the ones that they cannot are named here, each with the reason."""

import json
from pathlib import Path

import pytest

from bench.golden import product
from bench.golden.sensitivity import FACTORS, Probes
from bench.golden.weights import weights

WITNESSES = Path(__file__).parents[1] / "golden" / "witnesses.json"

#: Weight -> why nothing changes when it is doubled or halved.
UNNOTICED: dict[str, str] = {
    **{
        f"parts.PARTS {part} 2": "what remains of an older text: the part is made of one text"
        for part in ("message", "last words", "last paragraph", "branch", "task")
    },
    "gate.likelihood -50": "guards the exponential against an overflow; odds stay within single figures",
    "gate.likelihood 50": "as above",
    "coverage.probability -50": "as above",
    "coverage.probability 50": "as above",
    "granularity.Weighed.__init__ 1.5": "an upper bound of a term's weight: says only when no more need be looked up",
    "granularity.Weighed.__init__ 1": "as above, the margin for rounding",
    **{
        f"weights.{name}": "the probes play no tool calls; the hook's golden searches notice it"
        for name in ("SEARCHED_BASE", "SEARCHED share 0", "SEARCHED share 1", "SEARCHED weight 0", "SEARCHED weight 1")
    },
    "weights.FAINT": "leaves out an old text that weighs too little to move a rank",
    "update.FAINT": "keeps the learned file small: what has faded so far moves no rank",
    "rungs.names_near 0.5": "only words an error message: how near a mistyped name must be",
    "rungs._find 0.4": "as above, of a section",
}


#: Half a minute of work; how long a busy machine takes for it says nothing.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def probes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden").resolve()
    with product.pinned(folder / "home"):
        yield Probes(folder)


def test_every_weight_is_noticed_but_those_named(probes):
    """Each at its witness; a weight that has none there any more is put to all cases, a limit need not have one."""
    kept = json.loads(WITNESSES.read_text(encoding="utf-8"))
    silent = [
        weight.name
        for weight in weights()
        if (weight.name in kept if weight.is_limit else weight.name not in UNNOTICED)
        and not probes.holds(weight, kept.get(weight.name, ""))
        and not probes.witness(weight)
    ]
    assert silent == [], "add a case that shows what it is for, or delete it (python -m bench.golden sensitivity)"


def test_what_is_named_exists_and_has_a_reason():
    names = {weight.name for weight in weights()}
    assert set(UNNOTICED) - names == set()
    assert all(reason.strip() for reason in UNNOTICED.values())


def test_a_weight_is_changed_wherever_it_was_taken_and_put_back(probes):
    before = {weight.name: weight.value for weight in weights()}
    for weight in weights():
        for factor in FACTORS:
            with weight.change(weight.value * factor):
                pass
    assert {weight.name: weight.value for weight in weights()} == before
