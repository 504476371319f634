"""Operators that may take tensors of the CPU beside those of a device, as on any GPU."""

#: Operators that take indices, lengths or masks. `fallback` knows those that take lists of tensors by the beginning of
#: their names.
MAY_MIX = frozenset(
    """
    aten::_copy_from
    aten::_copy_from_and_resize
    aten::_has_compatible_shallow_copy_type
    aten::_index_put_impl_
    aten::_pack_padded_sequence
    aten::_to_copy
    aten::_unsafe_index
    aten::_unsafe_index_put
    aten::copy_
    aten::equal
    aten::index
    aten::index_put
    aten::index_put_
    aten::is_same_size
    aten::record_stream
    aten::set_
    aten::split_with_sizes
    aten::tensor_split
    aten::_ctc_loss
    aten::_use_cudnn_ctc_loss
    """.split()
)
