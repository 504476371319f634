"""What is known about PyTorch's operator samples and the errors of its dispatcher: data, and nothing else."""

from __future__ import annotations

import re

#: Operators whose result is whatever was in the memory: shape and dtype are all that can be compared.
UNINITIALISED = frozenset(
    (
        "empty",
        "empty_like",
        "empty_permuted",
        "empty_strided",
        "new_empty",
        "new_empty_strided",
        "resize_",
        "resize_as_",
    )
)

#: Results, by their numbers, that CUDA's kernels give in float32 for half precision, and the CPU's in the input's dtype.
STATISTICS = {"native_batch_norm": (1, 2), "native_group_norm": (1, 2), "native_layer_norm": (1, 2)}

#: Arguments behind the first that have to be tensors of the CPU, by operator.
ON_CPU = {"tensor_split": (0,)}

#: How an error says that an operator has no kernel for a device; the group is the operator's name.
NO_KERNEL = (
    re.compile(r"Could not run '(aten::[\w.]+)' with arguments from the '\w+' backend"),
    re.compile(r"The operator '(aten::[\w.]+)' is not currently (?:implemented|supported)"),
    re.compile(r"(aten::[\w.]+)[^\n]* is not implemented for [^\n]*(?:musa|MUSA|PrivateUse1)"),
)

#: How an error says that a kernel does not take a dtype.
NO_DTYPE = (
    re.compile(r"\"[^\"\n]+\" not implemented for '\w+'"),
    re.compile(r"[Uu]nsupported (?:tensor |scalar |data )?d?type"),
    re.compile(
        r"(?:does not|doesn't|not) support(?:ed)?[^\n]*\b(?:Half|BFloat16|Double|Float|Bool|Complex\w*|Char|Byte|Short|Int|Long)\b"
    ),
)

#: How an error says that the device can't be used any more in this process.
LOST = re.compile(
    r"(?:MUSA|CUDA) error: (?:an illegal|unspecified|device-side|misaligned|the launch timed out|\w* ?launch fail)"
)

#: The test of PyTorch's that compares CUDA with the CPU, as here: what it leaves out differs on CUDA too.
THEIR_TEST = ("TestCommon", "test_compare_cpu")

#: Classes of `torch.nn` whose function has another name than theirs in small letters with underscores.
MODULES = {
    "AdaptiveLogSoftmaxWithLoss": "log_softmax",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "BatchNorm1d": "batch_norm",
    "BatchNorm2d": "batch_norm",
    "BatchNorm3d": "batch_norm",
    "CTCLoss": "ctc_loss",
    "CrossEntropyLoss": "cross_entropy",
    "EmbeddingBag": "embedding_bag",
    "GELU": "gelu",
    "GLU": "glu",
    "InstanceNorm1d": "instance_norm",
    "InstanceNorm2d": "instance_norm",
    "InstanceNorm3d": "instance_norm",
    "KLDivLoss": "kl_div",
    "L1Loss": "l1_loss",
    "LogSoftmax": "log_softmax",
    "MSELoss": "mse_loss",
    "MultiheadAttention": "scaled_dot_product_attention",
    "NLLLoss": "nll_loss",
    "PReLU": "prelu",
    "RMSNorm": "rms_norm",
    "SyncBatchNorm": "batch_norm",
    "Upsample": "upsample",
}

#: Names of `torch.nn` that hold others, and compute nothing by themselves.
CONTAINERS = frozenset(
    (
        "Buffer",
        "DataParallel",
        "Flatten",
        "Identity",
        "Module",
        "ModuleDict",
        "ModuleList",
        "Parameter",
        "ParameterDict",
        "ParameterList",
        "Sequential",
        "UninitializedParameter",
    )
)
