"""Proofs by s(CASP) itself: what it is given (`writer`), how it is run (`engine`), how it is read (`reader`)."""

from unless.explain.scasp.engine import prove_all_by_scasp, prove_by_scasp
from unless.explain.scasp.proved_answers import answer_by_scasp
from unless.explain.scasp.writer import facts_text

__all__ = ["answer_by_scasp", "facts_text", "prove_all_by_scasp", "prove_by_scasp"]
