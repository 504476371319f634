CUresult##
