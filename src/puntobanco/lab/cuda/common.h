/* What lets one source run on a GPU, through CuPy, and on a processor, as plain C++ (for the tests: no GPU is needed to
   see that the kernels count what the CPU's own count).

   A block's threads share memory. On a processor they run one after the other, so a kernel is written as steps, each for
   all threads of the block, with a BARRIER between; nothing but shared memory lives from one step to the next. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#ifdef __CUDACC__

#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define THREADS ((int)blockDim.x)
#define BLOCKS ((int)gridDim.x)
#define BLOCK ((int)blockIdx.x)
#define EACH_THREAD for (int thread = threadIdx.x, once = 1; once; once = 0)
#define BARRIER __syncthreads()
#define ADD_SHARED(place, number) atomicAdd(place, number)
#define ADD_GLOBAL(place, number) atomicAdd(place, (u64)(number))
#define TIMES(a, b) __dmul_rn(a, b)
#define PLUS(a, b) __dadd_rn(a, b)
#define DOT4(bytes, factors) __dp4a((u32)(bytes), (u32)(factors), 0u)
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#define AT_LEAST(threads, blocks) __launch_bounds__(threads, blocks)
/* stays in a register, and is not computed again where it is used */
#define KEEP(number) asm volatile("" : "+r"(number))
extern __shared__ double shared_memory[];

#else

#include <cmath>
#define KERNEL extern "C" void
#define DEVICE static inline
static int THREADS, BLOCKS, BLOCK;
static double *shared_memory;
extern "C" void set_block(int blocks, int threads, int block, double *memory) {
    BLOCKS = blocks, THREADS = threads, BLOCK = block, shared_memory = memory;
}
#define EACH_THREAD for (int thread = 0; thread < THREADS; thread++)
#define BARRIER
#define ADD_SHARED(place, number) (*(place) += (number))
#define ADD_GLOBAL(place, number) (*(place) += (u64)(number))
#define TIMES(a, b) ((a) * (b))
#define PLUS(a, b) ((a) + (b))
#define DOT4(bytes, factors) dot_4(bytes, factors)
static inline u32 dot_4(u32 bytes, u32 factors) {
    u32 found = 0;
    for (int shift = 0; shift < 32; shift += 8) found += (bytes >> shift & 255) * (factors >> shift & 255);
    return found;
}
#define UNROLL
#define NO_UNROLL
#define AT_LEAST(threads, blocks)
#define KEEP(number)

#endif
