/* Exact odds of shoes, a shoe to a thread: the deals of every line of a menu, and the expectation of every bet.

   The method is that of batch_kernel.py: Player's third card x is taken out of the shoe, and for totals p of Player and t
   of Banker the openings are counted at once. What is left is written so that most of it is a product that is added.
   With n(v) for the cards of value v, m(o, v) for those that bring v to o, h(o) for the hands of o and A = m(p, v),
   B = m(t, v), Banker's third card v then comes in

       n(v) (O + B W) + n(v) A Z,    W = 4 m(p, t - v) - 2 h(p) - 4 [p = t],    Z = 8 B + 4 m(t, p - v) - 2 h(t) - 4 [p = t]

   ways, where O are the openings. All numbers are whole and below 2^53, so they are exact in any order.

   Ends that count alike for every bet of the menu are one class: the caller finds these, and what each line takes from
   each. Player's end is the outer loop, so that its ends are added up in registers. A thread's numbers stand in a column
   of shared memory, MOST_THREADS apart. That, and the totals on which Banker always draws or ever does after a third card
   of Player's, are set when this is compiled. */
#define VALUES 10
#define NO_CARD 10
#define NOTHING 255
#define IN_TEN(number) (((number) % 10 + 10) % 10)

struct Shoe {
    double left[VALUES];
    double hands[VALUES];
};

/* The cards that bring one of value v to the total o. */
DEVICE double partners(const double *left, int o, int v) {
    return left[IN_TEN(o - v)] - (IN_TEN(2 * v - o) == 0 ? 1.0 : 0.0);
}

/* Openings of p and t, and, where Banker draws, the ways to every end, each `factor` times. */
template <int P, int T>
DEVICE double count_openings(const Shoe &shoe, const double *of_player) {
    double one = 0.0, two = 0.0, twins = P == T ? 2.0 : 0.0;
    UNROLL for (int v = 0; v < VALUES; v += 2) {
        one += of_player[v] * partners(shoe.left, T, v);
        two += of_player[v + 1] * partners(shoe.left, T, v + 1);
    }
    return shoe.hands[P] * (shoe.hands[T] + twins) - 4.0 * (one + two);
}

template <int P, int T>
DEVICE void count_thirds(const Shoe &shoe, const double *of_player, const double *waiting, double openings, double *ends) {
    double twins = P == T ? 4.0 : 0.0, hand = -2.0 * shoe.hands[T] - twins;
    UNROLL for (int v = 0; v < VALUES; v++) {
        double b = partners(shoe.left, T, v);
        double z = 8.0 * b + (4.0 * partners(shoe.left, T, IN_TEN(P - v)) + hand);
        double w = P == T ? waiting[IN_TEN(v - T)] - twins : waiting[IN_TEN(v - T)];
        ends[IN_TEN(T + v)] += shoe.left[v] * (openings + b * w) + of_player[v] * z;
    }
}

/* One total of Banker after Player's p and third card. */
template <int P, int T>
DEVICE void count_total(const Shoe &shoe, const double *of_player, const double *waiting, int draws_to, double factor,
                        double *ends, double *stands) {
    double openings = count_openings<P, T>(shoe, of_player);
    if (T <= ALWAYS_DRAWS || (T <= EVER_DRAWS && T <= draws_to)) count_thirds<P, T>(shoe, of_player, waiting, openings, ends);
    else stands[T] += factor * openings;
}

/* All of Banker's totals, up to the naturals. */
template <int P, int T = 0>
DEVICE void count_totals(const Shoe &shoe, const double *of_player, const double *waiting, int draws_to, double factor,
                         double *ends, double *stands) {
    count_total<P, T>(shoe, of_player, waiting, draws_to, factor, ends, stands);
    if constexpr (T < 7) count_totals<P, T + 1>(shoe, of_player, waiting, draws_to, factor, ends, stands);
}

template <int P>
DEVICE void count_player(const Shoe &shoe, int draws_to, double factor, double *ends, double *stands) {
    double of_player[VALUES], waiting[VALUES], found[VALUES] = {0};
    UNROLL for (int v = 0; v < VALUES; v++) {
        of_player[v] = shoe.left[v] * partners(shoe.left, P, v);
        waiting[v] = 4.0 * partners(shoe.left, P, IN_TEN(-v)) - 2.0 * shoe.hands[P];
    }
    count_totals<P>(shoe, of_player, waiting, draws_to, factor, found, stands);
    UNROLL for (int end = 0; end < VALUES; end++) ends[end] += factor * found[end];
}

/* Player's two cards of total P, and the third that makes `end` of them: the shoe is counted without that card. */
template <int P = 0>
DEVICE void count_thirds_of_player(const Shoe &full, const double *column, int end, const int *draws_to, double *ends,
                                   double *stands) {
    int x = end - P < 0 ? end - P + 10 : end - P;
    Shoe shoe;
    UNROLL for (int v = 0; v < VALUES; v++) {
        int other = v - x < 0 ? v - x + 10 : v - x;
        shoe.left[v] = full.left[v] - (v == x ? 1.0 : 0.0);
        shoe.hands[v] = full.hands[v] - 2.0 * (column[other * MOST_THREADS] - (other == x ? 1.0 : 0.0));
    }
    count_player<P>(shoe, draws_to[x], column[x * MOST_THREADS], ends, stands);
    if constexpr (P < 5) count_thirds_of_player<P + 1>(full, column, end, draws_to, ends, stands);
}

DEVICE void add_to(double *sums, const u8 *classes, int code, double ways) {
    int which = classes[code];
    if (which != NOTHING) sums[which * MOST_THREADS] += ways;
}

DEVICE int code_of(int player, int banker, int three, int banker_three) {
    return ((player * 10 + banker) * 2 + three) * 2 + banker_three;
}

/* Player stands on P, 6 or 7. */
template <int P>
DEVICE void count_standing(const Shoe &shoe, int draws_to, double size, const u8 *classes, double *sums) {
    double ends[VALUES] = {0}, stands[VALUES] = {0};
    count_player<P>(shoe, draws_to, 1.0, ends, stands);
    UNROLL for (int end = 0; end < VALUES; end++) {
        add_to(sums, classes, code_of(P, end, 0, 1), (size - 5.0) * ends[end]);
        if (end < 8) add_to(sums, classes, code_of(P, end, 0, 0), (size - 4.0) * (size - 5.0) * stands[end]);
    }
}

/* Player's natural P against every total, and Banker's against those that are none. */
template <int P, int T = 0>
DEVICE void count_natural(const Shoe &shoe, const double *of_player, double factor, const u8 *classes, double *sums) {
    double ways = factor * count_openings<P, T>(shoe, of_player);
    add_to(sums, classes, code_of(P, T, 0, 0), ways);
    if (T < 8) add_to(sums, classes, code_of(T, P, 0, 0), ways);
    if constexpr (T < 9) count_natural<P, T + 1>(shoe, of_player, factor, classes, sums);
}

template <int P>
DEVICE void count_naturals(const Shoe &shoe, double size, const u8 *classes, double *sums) {
    double of_player[VALUES];
    UNROLL for (int v = 0; v < VALUES; v++) of_player[v] = shoe.left[v] * partners(shoe.left, P, v);
    count_natural<P>(shoe, of_player, (size - 4.0) * (size - 5.0), classes, sums);
}

/* Deals with pairs, whatever their end; the states overlap, in the order of batch_kernel.py. */
DEVICE void count_pairs(const u8 *unseen, i64 stride, int number, double size, const u8 *state_classes, double *sums) {
    int suits = number == 52 ? 4 : 1, kinds = number == 52 ? 2 : 1;
    double single[2] = {0, 0}, both[4] = {0, 0, 0, 0}, twin[4] = {0, 0, 0, 0};
    for (int rank = 0; rank < 13; rank++) {
        double cards = 0, alike = 0, twins = 0;
        for (int suit = 0; suit < suits; suit++) {
            double n = unseen[(rank * suits + suit) * stride];
            cards += n, alike += n * (n - 1);
        }
        double pairs = cards * (cards - 1), others = (cards - 2) * (cards - 3);
        double of_kind[2] = {kinds == 1 ? pairs : pairs - alike, alike};
        for (int suit = 0; suit < suits; suit++) {
            double n = unseen[(rank * suits + suit) * stride];
            twins += n * (n - 1) * ((n - 2) * (n - 3) + alike - n * (n - 1));
        }
        if (kinds == 1) twin[0] += pairs * others;
        else {
            twin[0] += (pairs - 2 * alike) * others + twins;
            twin[1] += alike * others - twins, twin[2] += alike * others - twins, twin[3] += twins;
        }
        for (int one = 0; one < kinds; one++) {
            for (int two = 0; two < kinds; two++) both[one * kinds + two] -= of_kind[one] * of_kind[two];
            single[one] += of_kind[one];
        }
    }
    double two_left = (size - 4) * (size - 5), four_left = (size - 2) * (size - 3) * two_left;
    for (int one = 0; one < kinds; one++) {
        for (int two = 0; two < kinds; two++) {
            int kind = one * kinds + two;
            add_to(sums, state_classes, 1 + 2 * kinds + kind, (both[kind] + single[one] * single[two]) * two_left);
            add_to(sums, state_classes, 1 + 2 * kinds + kinds * kinds + kind, twin[kind] * two_left);
        }
        add_to(sums, state_classes, 1 + one, single[one] * four_left);
        add_to(sums, state_classes, 1 + kinds + one, single[one] * four_left);
    }
}

/* The lines of the menu, and what each bet gains: in this order, each step rounded, as batch.py does it. */
DEVICE void add_up(const double *sums, double total, int bets, const int *bet_ends, const int *line_starts,
                   const u8 *line_classes, const double *factors, const double *gains, double *ways, double *ev, i64 stride) {
    int line = 0;
    for (int bet = 0; bet < bets; bet++) {
        double won = 0.0, lost = total;
        for (; line < bet_ends[bet]; line++) {
            double found = 0.0;
            for (int at = line_starts[line]; at < line_starts[line + 1]; at++)
                found += factors[at] * sums[line_classes[at] * MOST_THREADS];
            if (ways) ways[line * stride] = found;
            won = PLUS(won, TIMES(gains[line], found));
            lost -= found;
        }
        ev[bet * stride] = PLUS(won, -lost) / total;
    }
}

/* `unseen[kind, shoe]` are the cards by rank or by card. `draws_to[x]` is the highest total on which Banker draws after
   Player's third card x (10: none), -1 where there is none. Classes are those of ends (`code_of`) and of pair states. */
KERNEL AT_LEAST(MOST_THREADS, LEAST_BLOCKS)
count_deals(i64 shoes, i64 stride, int number, const u8 *unseen, const int *draws_to, const u8 *classes,
            const u8 *state_classes, int class_number, int bets, const int *bet_ends, const int *line_starts,
            const u8 *line_classes, const double *factors, const double *gains, double *ways, double *ev) {
    EACH_THREAD {
        double *column = shared_memory + thread, *sums = column + VALUES * MOST_THREADS;
        NO_UNROLL for (i64 at = (i64)BLOCK * THREADS + thread; at < shoes; at += (i64)BLOCKS * THREADS) {
            Shoe full;
            double size = 0.0;
            UNROLL for (int v = 0; v < VALUES; v++) full.left[v] = 0.0;
            UNROLL for (int rank = 0; rank < 13; rank++) {
                int suits = number / 13;
                for (int suit = 0; suit < suits; suit++)
                    full.left[rank < 9 ? rank + 1 : 0] += unseen[(rank * suits + suit) * stride + at];
            }
            UNROLL for (int o = 0; o < VALUES; o++) {
                double hand = 0.0;
                UNROLL for (int v = 0; v < VALUES; v++) hand += full.left[v] * partners(full.left, o, v);
                full.hands[o] = hand;
                size += full.left[o];
                column[o * MOST_THREADS] = full.left[o];
            }
            NO_UNROLL for (int each = 0; each < class_number; each++) sums[each * MOST_THREADS] = 0.0;
            NO_UNROLL for (int end = 0; end < VALUES; end++) {
                double ends[VALUES] = {0}, stands[VALUES] = {0};
                count_thirds_of_player(full, column, end, draws_to, ends, stands);
                UNROLL for (int banker = 0; banker < VALUES; banker++) {
                    add_to(sums, classes, code_of(end, banker, 1, 1), ends[banker]);
                    if (banker < 8) add_to(sums, classes, code_of(end, banker, 1, 0), (size - 5.0) * stands[banker]);
                }
            }
            count_standing<6>(full, draws_to[NO_CARD], size, classes, sums);
            count_standing<7>(full, draws_to[NO_CARD], size, classes, sums);
            count_naturals<8>(full, size, classes, sums);
            count_naturals<9>(full, size, classes, sums);
            count_pairs(unseen + at, stride, number, size, state_classes, sums);
            double total = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5);
            add_up(sums, total, bets, bet_ends, line_starts, line_classes, factors, gains,
                   ways ? ways + at : 0, ev + at, stride);
        }
    }
}
