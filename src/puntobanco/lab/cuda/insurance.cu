/* What insurance is worth to somebody who has seen every card, a round to a thread; as insurance_kernel.py has it. */
#define NONE 10

struct Play {
    const u8 *player_draws, *turns;
    const int *rows;
    const double *pays;
};

DEVICE void win(double *winners, int player, int banker, double ways) {
    if (player > banker) winners[0] += ways;
    else if (player < banker) winners[1] += ways;
    else winners[2] += ways;
}

/* Deals of the cards to come by who wins: Player, Banker, neither. `third` is Player's third card, if it has come. */
DEVICE void finish(const int *left, int size, int player, int banker, int draws, int third, const u8 *turns, double *winners) {
    winners[0] = winners[1] = winners[2] = 0.0;
    for (int x = 0; x < (draws ? 10 : 1); x++) {
        int value = draws ? x : third, end = value < NONE ? (player + value) % 10 : player;
        double ways = draws ? left[x] : 1.0;
        if (!turns[value * 100 + player * 10 + banker]) {
            win(winners, end, banker, ways * (draws ? size - 1 : size));
            continue;
        }
        for (int v = 0; v < 10; v++) win(winners, end, (banker + v) % 10, ways * (left[v] - (draws && v == x)));
    }
}

DEVICE void offer(const Play &play, int window, int player, int banker, const double *winners, double *worth, int *taken,
                  i64 stride) {
    double total = winners[0] + winners[1] + winners[2];
    for (int hand = 0; hand < 2; hand++) {
        int row = play.rows[(window * 2 + hand) * 100 + (hand ? banker * 10 + player : player * 10 + banker)];
        if (row < 0) continue;
        double won = winners[1 - hand] + winners[2] * play.pays[2 * row + 1];
        taken[(window * 2 + hand) * stride] = row;
        worth[(window * 2 + hand) * stride] = PLUS(TIMES(play.pays[2 * row], won), -winners[hand]) / total;
    }
}

/* `worth[window, hand, round]` and `taken`, the row, are left as they are where nothing is on offer. */
KERNEL value_offers(i64 rounds, int number, const u8 *unseen, const u8 *cards, const u8 *player_draws, const u8 *turns,
                    const int *rows, const double *pays, double *worth, int *taken) {
    EACH_THREAD {
        Play play = {player_draws, turns, rows, pays};
        for (i64 round = (i64)BLOCK * THREADS + thread; round < rounds; round += (i64)BLOCKS * THREADS) {
            int left[10] = {0}, dealt[5], size = 0, suits = number / 13;
            for (int kind = 0; kind < number; kind++) {
                int rank = kind / suits, cards_left = unseen[kind * rounds + round];
                left[rank < 9 ? rank + 1 : 0] += cards_left, size += cards_left;
            }
            for (int card = 0; card < 5; card++) dealt[card] = cards[card * rounds + round] & 15;
            for (int card = 0; card < 4; card++) left[dealt[card]]--, size--;
            int player = (dealt[0] + dealt[2]) % 10, banker = (dealt[1] + dealt[3]) % 10;
            int draws = player_draws[player * 10 + banker];
            double winners[3];
            if (draws || turns[NONE * 100 + player * 10 + banker]) {
                finish(left, size, player, banker, draws, NONE, turns, winners);
                offer(play, 0, player, banker, winners, worth + round, taken + round, rounds);
            }
            if (draws && turns[dealt[4] * 100 + player * 10 + banker]) {
                left[dealt[4]]--;
                finish(left, size - 1, player, banker, 0, dealt[4], turns, winners);
                offer(play, 1, (player + dealt[4]) % 10, banker, winners, worth + round, taken + round, rounds);
            }
        }
    }
}
