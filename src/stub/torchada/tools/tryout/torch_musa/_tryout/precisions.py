"""Which operators autocast runs in which precision: the lists of ATen/autocast_mode.h, for every device alike.

A name without an overload is the default one. Names that a version of torch lacks are left out there.
"""

#: In the lower precision.
LOWER = """
_convolution _convolution.deprecated _scaled_dot_product_flash_attention _thnn_fused_gru_cell _thnn_fused_lstm_cell
addbmm addmm addmv addr baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input
conv_transpose3d.input convolution einsum gru_cell linalg_multi_dot linalg_vecdot linear lstm_cell matmul mm mv prelu
rnn_relu_cell rnn_tanh_cell scaled_dot_product_attention
""".split()

#: In float32.
FULL = """
_upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d
_upsample_nearest_exact3d acos asin binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss
cosine_similarity dist erfinv exp expm1 frobenius_norm.dim group_norm hinge_embedding_loss huber_loss kl_div l1_loss
layer_norm log log10 log1p log2 logsumexp margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss
native_layer_norm nll_loss nll_loss2d norm.Scalar norm.ScalarOpt_dim norm.names_ScalarOpt_dim nuclear_norm
nuclear_norm.dim pdist poisson_nll_loss pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor reciprocal renorm rms_norm rsqrt
sinh smooth_l1_loss soft_margin_loss softplus tan triplet_margin_loss upsample_bicubic2d upsample_bilinear2d
upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d
""".split()

#: In float32, unless the caller names a type.
FULL_UNLESS_NAMED = """
cumprod cumsum linalg_matrix_norm linalg_matrix_norm.str_ord linalg_vector_norm log_softmax.int prod prod.dim_int
softmax.int sum sum.dim_IntList
""".split()

#: In the widest type of the arguments.
WIDEST = "addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put scatter_add tensordot vdot".split()

#: Not at all.
BANNED = ["binary_cross_entropy"]
