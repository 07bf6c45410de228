/** The word of `words` that was most likely meant; null if none is close. */
export function nearest(text: string, words: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.max(1, Math.floor(text.length / 3)) + 1
  for (const word of words) {
    // the prefix of a longer word counts as one typing error
    const distance = text.length >= 2 && word.startsWith(text) ? 1 : distanceOf(text, word)
    if (distance < least) {
      least = distance
      best = word
    }
  }
  return best
}

/** Edit distance: insertions, deletions, substitutions and swaps of neighbours. The words are short. */
function distanceOf(a: string, b: string): number {
  if (Math.max(a.length, b.length) > LONGEST) return LONGEST
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

const LONGEST = 40

/** `: did you mean X?`, or an empty string. */
export function didYouMean(text: string, words: readonly string[], show = (word: string): string => word): string {
  const word = nearest(text, words)
  return word === null ? '' : `: did you mean ${show(word)}?`
}
