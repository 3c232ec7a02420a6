// Pseudo-random numbers (sfc32) that are the same in every run.
export class Random {
  #state;

  constructor(seed) {
    this.#state = Uint32Array.of(0x9e3779b9, 0x243f6a88, 0xb7e15162, seed);
    for (let i = 0; i < 16; i++) this.next();
  }

  /** At least 0, and less than 1. */
  next() {
    const s = this.#state;
    const sum = (s[0] + s[1] + s[3]) >>> 0;
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 21) | (s[2] >>> 11)) + sum;
    return sum / 2 ** 32;
  }

  /** A whole number less than `limit`. */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  between(min, max) {
    return min + this.below(max - min + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  shuffled(list) {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }
}
