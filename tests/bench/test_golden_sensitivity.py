"""The golden cases notice every weight; the ones that they cannot are named here, each with the reason."""

import json
from pathlib import Path

import pytest

from bench.golden import product
from bench.golden.sensitivity import FACTORS, Probes
from bench.golden.weights import weights

WITNESSES = Path(__file__).parents[1] / "golden" / "witnesses.json"

#: Weight -> why nothing changes when it is doubled or halved.
UNNOTICED: dict[str, str] = {}


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
