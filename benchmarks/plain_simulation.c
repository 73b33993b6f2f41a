/* A plain simulation of whole shoes, to compare the laboratory's with: eight decks, Cut Card 14 from the end, burn by the
   first card, every outcome counted. Written as one writes it: xoshiro256++, a Fisher-Yates shuffle of the cards that are
   needed, one round after the other.

   plain_simulation SHOES SEED prints the rounds, the processor's seconds, and the rounds that Banker won. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DECKS = 8, SIZE = 52 * DECKS, CUT = 14 };

static uint64_t state[4];

static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static uint64_t next(void) {
    uint64_t result = rotate(state[0] + state[3], 23) + state[0], t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
}

/* a number below n, all alike */
static uint32_t below(uint32_t n) {
    uint64_t product = (next() >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold) product = (next() >> 32) * n;
    }
    return product >> 32;
}

static int banker_draws(int banker, int third) {
    switch (banker) {
    case 0: case 1: case 2: return 1;
    case 3: return third != 8;
    case 4: return third >= 2 && third <= 7;
    case 5: return third >= 4 && third <= 7;
    case 6: return third == 6 || third == 7;
    default: return 0;
    }
}

static uint8_t value[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};
static uint64_t outcomes[2000];

int main(int count, char **arguments) {
    long shoes = count > 1 ? atol(arguments[1]) : 100000, rounds = 0;
    uint64_t seed = count > 2 ? strtoull(arguments[2], 0, 10) : 1;
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        state[i] = z ^ (z >> 31);
    }
    uint8_t full[SIZE], cards[SIZE];
    for (int i = 0; i < SIZE; i++) full[i] = i % 13;
    struct timespec begun, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    for (long shoe = 0; shoe < shoes; shoe++) {
        memcpy(cards, full, SIZE);
        for (int i = 0; i < SIZE - CUT + 6; i++) {
            int j = i + below(SIZE - i);
            uint8_t card = cards[i];
            cards[i] = cards[j];
            cards[j] = card;
        }
        int at = 1 + (value[cards[0]] ? value[cards[0]] : 10);
        while (at <= SIZE - CUT) {
            int p1 = cards[at], b1 = cards[at + 1], p2 = cards[at + 2], b2 = cards[at + 3];
            int player = (value[p1] + value[p2]) % 10, banker = (value[b1] + value[b2]) % 10;
            int player_three = 0, banker_three = 0;
            at += 4;
            if (player < 8 && banker < 8) {
                if (player < 6) {
                    int third = value[cards[at++]];
                    player = (player + third) % 10;
                    player_three = 1;
                    banker_three = banker_draws(banker, third);
                } else {
                    banker_three = banker < 6;
                }
                if (banker_three) banker = (banker + value[cards[at++]]) % 10;
            }
            int pairs = (p1 == p2) + 2 * (b1 == b2) + (p1 == p2 && b1 == b2 && p1 == b1);
            outcomes[(((player * 10 + banker) * 2 + player_three) * 2 + banker_three) * 5 + pairs]++;
            rounds++;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    double seconds = (ended.tv_sec - begun.tv_sec) + (ended.tv_nsec - begun.tv_nsec) * 1e-9;
    uint64_t won = 0;
    for (int i = 0; i < 2000; i++)
        if (i / 20 % 10 > i / 200) won += outcomes[i];
    printf("%ld %.6f %llu\n", rounds, seconds, (unsigned long long)won);
    return 0;
}
