/** The same numbers every time. */
export const dice = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const consonants = [
  'b',
  'd',
  'f',
  'g',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'br',
  'st',
  'tr',
  'pl',
  'gr',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ou', 'ea']

/** Made-up words of two to four syllables, the frequent ones first. */
export const makeWords = (count: number, random: () => number): string[] => {
  const pick = (list: string[]): string => list[Math.floor(random() * list.length)]!
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = 2 + Math.floor(random() * 3)
    const word = Array.from({ length: syllables }, () => pick(consonants) + pick(vowels)).join('')
    words.add(word + (random() < 0.5 ? pick(['n', 'r', 'l', 't']) : ''))
  }
  return [...words]
}

/** Chooses a place from 0 on as words are chosen in texts: the n-th is n times as rare as the first. */
export const zipf = (count: number, random: () => number) => {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  return (): number => {
    const wanted = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
