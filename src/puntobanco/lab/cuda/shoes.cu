/* Shuffles and deals shoes: the stream of docs/lab.md, a shoe to a thread, the cards in shared memory.

   A shoe's bytes lie in one column of its warp's memory, four to a word, the words of the 32 threads side by side, so
   that whatever place a thread looks up, no two threads meet in one bank. Only the cards behind the one to be placed are
   looked at again; so a card that is placed stays in a register until eight of them make two words.

   SUITED and WIDTH are set when this is compiled; the rest comes as arguments, the rules as tables. */
#define OPENINGS 361
#define TURNS 3610
#define LAST 176
#define STATES 18
#define FIRST_VALUE -2
#define UNLESS_FIRST 2
#define COLUMN 128

#define ROUNDS 10

/* How a shoe is dealt; the seed as the keys of all rounds of Philox. */
struct Dealing {
    u32 keys[2 * ROUNDS];
    int size, groups, burn, stop, after;
};

struct Tables {
    const u16 *turns;
    const u8 *last, *states;
};

DEVICE void philox(u32 group, u32 attempt, u64 shoe, const u32 *keys, u32 *words) {
    u32 c0 = group, c1 = attempt, c2 = (u32)shoe, c3 = (u32)(shoe >> 32);
    UNROLL for (int round = 0; round < ROUNDS; round++) {
        u64 one = (u64)0xD2511F53u * c0, two = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(two >> 32) ^ c1 ^ keys[2 * round], c1 = (u32)two;
        c2 = (u32)(one >> 32) ^ c3 ^ keys[2 * round + 1], c3 = (u32)one;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

DEVICE Dealing dealing_of(u64 seed, int size, int groups, int burn, int stop, int after) {
    Dealing deal;
    u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
    UNROLL for (int round = 0; round < ROUNDS; round++) {
        deal.keys[2 * round] = k0, deal.keys[2 * round + 1] = k1;
        KEEP(deal.keys[2 * round]);
        KEEP(deal.keys[2 * round + 1]);
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    deal.size = size, deal.groups = groups, deal.burn = burn, deal.stop = stop, deal.after = after;
    return deal;
}

/* The words of a group that favour a place, from their next attempts. */
DEVICE void draw_again(u32 *drawn, int group, u64 shoe, const Dealing &deal) {
    NO_UNROLL for (int part = 0; part < 4; part++) {
        int i = 8 * group + 2 * part;
        u32 left = deal.size - i < 1 ? 1 : deal.size - i, ways = left * (left - 1), attempt = 0, words[4];
        u32 threshold = ways ? (0u - ways) % ways : 0;
        u32 word = part == 0 ? drawn[0] : part == 1 ? drawn[1] : part == 2 ? drawn[2] : drawn[3];
        while (word * left * (left - 1) < threshold) {
            philox((u32)group, ++attempt, shoe, deal.keys, words);
            word = part == 0 ? words[0] : part == 1 ? words[1] : part == 2 ? words[2] : words[3];
        }
        UNROLL for (int each = 0; each < 4; each++) drawn[each] = each == part ? word : drawn[each];
    }
}

DEVICE u8 *card_at(u8 *cards, u32 place) { return cards + (place >> 2) * COLUMN + (place & 3); }

DEVICE u32 *word_at(u8 *cards, u32 word) { return (u32 *)(cards + word * COLUMN); }

/* The card that comes to place i from place j; the one that was there goes where it came from. */
DEVICE u32 place_card(u8 *cards, u32 i, u32 j) {
    u8 *to = card_at(cards, i), *from = card_at(cards, j);
    u8 here = *to, there = *from;
    *from = here;
    return there;
}

DEVICE void shuffle(u8 *cards, const u32 *start, u64 shoe, const Dealing &deal) {
    int words = deal.size / 4;
    for (int word = 0; word < words; word++) *word_at(cards, word) = start[word];
    *word_at(cards, words) = 0; /* the last group may go beyond the shoe by half, and so may the look at six cards */
    u32 doubtful = (u32)deal.size * (deal.size - 1);
    u8 *here = cards; /* the column from the group's first card on */
    NO_UNROLL for (int group = 0; group < deal.groups; group++, here += 2 * COLUMN) {
        u32 drawn[4], left[4], placed[2] = {0, 0}, rest = ~0u;
        philox((u32)group, 0, shoe, deal.keys, drawn);
        UNROLL for (int part = 0; part < 4; part++) {
            int cards_left = deal.size - 8 * group - 2 * part;
            left[part] = cards_left < 1 ? 1 : cards_left;
            u32 other = drawn[part] * left[part] * (left[part] - 1);
            rest = other < rest ? other : rest;
        }
        /* no threshold is higher: seldom is one of the four words looked at again */
        if (rest < doubtful) draw_again(drawn, group, shoe, deal);
        UNROLL for (int part = 0; part < 4; part++) {
            u32 i = 2 * part;
            u64 one = (u64)drawn[part] * left[part], two = (u64)(u32)one * (left[part] - 1);
            u32 first = place_card(here, i, i + (u32)(one >> 32));
            u32 second = place_card(here, i + 1, i + 1 + (u32)(two >> 32));
            placed[part / 2] |= (first | second << 8) << (part % 2 * 16);
        }
        *word_at(here, 0) = placed[0];
        *word_at(here, 1) = placed[1];
    }
}

DEVICE int first_place(u8 *cards, int burn) {
    if (burn >= 0) return burn;
    int value = *cards & 15;
    return 1 + (value || burn == FIRST_VALUE ? value : 10);
}

DEVICE u32 joined(u32 low, u32 high, u32 bits) { return (u32)(((u64)high << 32 | low) >> bits); }

/* The outcome's number; moves on to the place where the next round begins. */
DEVICE u32 play_round(u8 *cards, int &at, const Tables &rules) {
    u32 word = at >> 2, bits = (at & 3) * 8;
    u32 one = *word_at(cards, word), two = *word_at(cards, word + 1), three = *word_at(cards, word + 2);
    u32 four = joined(one, two, bits), rest = joined(two, three, bits);
    /* the values of Player's first two cards, and 19 times those of Banker's */
    u32 openings = DOT4(four & 0x0F0F0F0Fu, 0x13011301u);
    u32 turn = rules.turns[openings + OPENINGS * (rest & 15)];
    u32 code = (turn & 511) + rules.last[(turn >> 11 << 4) + (rest >> 8 & 15)];
    at += 4 + (turn >> 9 & 3);
    u32 hands = four ^ four >> 16, sides = four ^ four >> 8;
#if SUITED
    u32 player = (hands & 0xCF ? 0 : 1) + (hands & 0xFF ? 0 : 1);
    u32 banker = (hands & 0xCF00 ? 0 : 1) + (hands & 0xFF00 ? 0 : 1);
    u32 twin = player && banker && !(sides & 0xCF);
    u32 state = rules.states[player + 3 * banker + 9 * twin];
#else
    u32 player = !(hands & 0xFF), banker = !(hands & 0xFF00);
    u32 state = player + 2 * banker + (player & banker & !(sides & 0xFF));
#endif
    return code * WIDTH + state;
}

DEVICE u8 *column_of(u8 *room, int thread, int size) {
    return room + (thread >> 5) * (size / 4 + 1) * COLUMN + (thread & 31) * 4;
}

/* Plays shoes, counts outcomes, and shoes by their number of rounds. */
KERNEL count_rounds(u64 seed, u64 first, i64 shoes, int size, int groups, int burn, int stop, int after,
                    const u32 *start, const u16 *turns, const u8 *last, const u8 *states, int space, int longest,
                    u64 *outcomes, u64 *lengths) {
    u32 *counted = (u32 *)shared_memory, *long_ones = counted + space, *new_shoe = long_ones + longest;
    u16 *near_turns = (u16 *)(new_shoe + size / 4);
    u8 *near_last = (u8 *)(near_turns + TURNS), *near_states = near_last + LAST;
    u8 *room = (u8 *)shared_memory + ((near_states + STATES - (u8 *)shared_memory + COLUMN - 1) / COLUMN * COLUMN);
    EACH_THREAD {
        for (int at = thread; at < space + longest; at += THREADS) counted[at] = 0;
        for (int at = thread; at < size / 4; at += THREADS) new_shoe[at] = start[at];
        for (int at = thread; at < TURNS; at += THREADS) near_turns[at] = turns[at];
        for (int at = thread; at < LAST; at += THREADS) near_last[at] = last[at];
        for (int at = thread; at < STATES; at += THREADS) near_states[at] = states[at];
    }
    BARRIER;
    EACH_THREAD {
        Dealing deal = dealing_of(seed, size, groups, burn, stop, after);
        Tables rules = {near_turns, near_last, near_states};
        u8 *cards = column_of(room, thread, size);
        NO_UNROLL for (i64 shoe = (i64)BLOCK * THREADS + thread; shoe < shoes; shoe += (i64)BLOCKS * THREADS) {
            shuffle(cards, new_shoe, first + (u64)shoe, deal);
            int at = first_place(cards, burn), rounds = 0, more = after ? 1 : 0;
            NO_UNROLL for (; at < stop; rounds++) ADD_SHARED(&counted[play_round(cards, at, rules)], 1);
            /* the Cut Card may come out in the place of a round's first card */
            if (at == stop) more += after != UNLESS_FIRST;
            rounds += more;
            NO_UNROLL for (; more; more--) ADD_SHARED(&counted[play_round(cards, at, rules)], 1);
            ADD_SHARED(&long_ones[rounds], 1);
        }
    }
    BARRIER;
    EACH_THREAD {
        for (int at = thread; at < space; at += THREADS)
            if (counted[at]) ADD_GLOBAL(&outcomes[at], counted[at]);
        for (int at = thread; at < longest; at += THREADS)
            if (long_ones[at]) ADD_GLOBAL(&lengths[at], long_ones[at]);
    }
}

/* What somebody who has seen every card knows before each round. Without `unseen` only the rounds of each shoe are told;
   with it, shoe s writes its rounds from `begins[s]` on: the unseen cards by kind, its six cards, its place. */
KERNEL know_shoes(u64 seed, u64 first, i64 shoes, int size, int groups, int burn, int stop, int after,
                  const u32 *start, const u16 *turns, const u8 *last, const u8 *states, const u8 *kinds, int number,
                  const u8 *full, int *lengths, const i64 *begins, i64 stride, u8 *unseen, u8 *dealt, u16 *places) {
    u8 *room = (u8 *)shared_memory;
    EACH_THREAD {
        Dealing deal = dealing_of(seed, size, groups, burn, stop, after);
        Tables rules = {turns, last, states};
        u8 *cards = column_of(room, thread, size);
        for (i64 shoe = (i64)BLOCK * THREADS + thread; shoe < shoes; shoe += (i64)BLOCKS * THREADS) {
            shuffle(cards, start, first + (u64)shoe, deal);
            int at = first_place(cards, burn), rounds = 0, more = after ? 1 : 0;
            u8 left[52];
            for (int kind = 0; kind < number; kind++) left[kind] = full[kind];
            if (burn < 0) left[kinds[*cards]]--;
            while (at <= stop || more > 0) {
                int begun = at;
                if (at > stop) more--;
                else if (at == stop && after == UNLESS_FIRST) more = 0;
                play_round(cards, at, rules);
                if (unseen) {
                    i64 to = begins[shoe] + rounds;
                    for (int kind = 0; kind < number; kind++) unseen[kind * stride + to] = left[kind];
                    for (int card = 0; card < 6; card++) dealt[card * stride + to] = *card_at(cards, begun + card);
                    places[to] = (u16)begun;
                }
                for (; begun < at; begun++) left[kinds[*card_at(cards, begun)]]--;
                rounds++;
            }
            if (!unseen) lengths[shoe] = rounds;
        }
    }
}
