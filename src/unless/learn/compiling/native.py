"""Text of LLVM to machine code that runs: assembled for this machine, optimised, loaded.

In: text, or machine code made before. Out: the address of a function. One engine a process holds everything loaded.
No `fastmath`: scores decide ties, so no reassociation.
"""

from __future__ import annotations

import platform
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

LEVEL, EMITTED = 1, 2
"""How much the text is optimised, and what is emitted: more takes three times as long to compile and runs no faster.

Loops over bins are run for many at once, though: a quarter more to compile, and a tenth to a fifth less to run.
"""


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=EMITTED,
        codemodel="jitdefault",
        jit=True,
    )


@cache
def _engine() -> Any:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())


@cache
def kind_of_machine() -> str:
    """Return what machine code depends on besides its text."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {platform.machine()} {llvm.get_host_cpu_name()} {features} {LEVEL} {EMITTED}"


def assemble(text: str) -> bytes:
    """Return machine code."""
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.loop_unrolling = False
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    made: bytes = machine.emit_object(module)
    return made


def load(code: bytes, name: str) -> int:
    """Return the address of a function in machine code."""
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address: int = engine.get_function_address(name)
    return address
