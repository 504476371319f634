cdef extern :
 "