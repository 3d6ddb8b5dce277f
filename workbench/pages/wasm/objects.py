"""From a compiled function's intermediate code to an object file for WebAssembly.

A fault in LLVM ends the process, so this runs in one of its own, with `NUMBA_OPT=0`: code that was optimized
for this machine holds operations that others lack. All of the optimization is done here, for the target.
"""

import re

import llvmlite.binding as llvm
import numba

from workbench.kernels.compilation import OPTIONS

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128"
# What `runtime.c` and the libm offer. Anything else from outside is Python's, in branches that are not taken:
# a compiled function looks for Python's own object where it was handed no address, and its wrappers unpack.
OFFERED = frozenset(
    (
        "NRT_Allocate",
        "NRT_Free",
        "NRT_MemInfo_alloc",
        "NRT_MemInfo_alloc_aligned",
        "NRT_MemInfo_call_dtor",
        "numba_attempt_nocopy_reshape",
        "numba_frexp",
        "numba_ldexp",
        "asinh",
        "sinh",
        "expm1",
        "log1p",
    )
)
# A declaration of a function: what comes before its name, the name, its parameters, which may hold brackets.
DECLARED = re.compile(r"^declare ([^@\n]*)@([\w.$]+)\(((?:[^()\n]|\([^()\n]*\))*)\)[^\n]*$", re.M)


def machine():
    """LLVM's view of the target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )


def compiled(printed, target):
    """The object file of a `Printed` function, as bytes."""
    dispatcher = numba.njit(**OPTIONS)(printed.function)
    dispatcher.compile(printed.signature)
    (overload,) = dispatcher.overloads.values()
    text = dispatcher.inspect_llvm(overload.signature.args)
    module = llvm.parse_assembly(_closed(text))
    module.triple, module.data_layout = TRIPLE, str(target.target_data)
    for part in (*module.functions, *module.global_variables):
        # LLVM ends the process on common symbols; nothing but the entry is to be seen from outside.
        if not part.is_declaration:
            part.linkage = "internal"
    entry = module.get_function(overload.fndesc.llvm_func_name)
    entry.linkage, entry.name = "external", printed.export
    module.verify()
    passes = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return target.emit_object(module)


def _closed(text):
    """The code with a trap in place of each function from outside that WebAssembly does not have."""

    def close(match):
        before, name, parameters = match.groups()
        if name.startswith("llvm.") or name in OFFERED:
            return match.group()
        return f"define {before}@{name}({parameters}) {{\n  call void @llvm.trap()\n  unreachable\n}}"

    text = text.replace("@sqrt(", "@llvm.sqrt.f64(")
    text = DECLARED.sub(close, text)
    return text if "declare void @llvm.trap()" in text else f"{text}\ndeclare void @llvm.trap()\n"
