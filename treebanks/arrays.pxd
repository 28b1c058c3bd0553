# The array types of arrays.py as the compiler knows them: views of contiguous memory.

ctypedef const int[::1] Int32Array
ctypedef const long long[::1] Int64Array
ctypedef const unsigned char[::1] BoolArray
ctypedef const unsigned char[::1] ByteArray
ctypedef const unsigned long long[::1] UInt64Array
ctypedef const double[::1] Float64Array

ctypedef int[::1] Int32Output
ctypedef long long[::1] Int64Output
ctypedef unsigned char[::1] BoolOutput
ctypedef unsigned char[::1] ByteOutput
ctypedef unsigned long long[::1] UInt64Output
ctypedef double[::1] Float64Output

ctypedef const int[:, ::1] Int32Matrix
ctypedef const unsigned char[:, ::1] BoolMatrix
ctypedef const unsigned long long[:, ::1] UInt64Matrix
ctypedef const double[:, ::1] Float64Matrix
ctypedef int[:, ::1] Int32MatrixOutput
ctypedef long long[:, ::1] Int64MatrixOutput
ctypedef double[:, ::1] Float64MatrixOutput
