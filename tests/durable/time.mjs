// Waiting, randomness that can be repeated, and many things at once.
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Numbers in [0, 1) that follow from the seed (mulberry32).
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// `work` on each item, `width` at once; the results in the order of the items.
export async function each(items, width, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

export const range = (count, from = 1) => Array.from({ length: count }, (_, i) => i + from);

// The value below which the part `share` of the numbers is.
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
