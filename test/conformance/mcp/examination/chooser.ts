/**
 * A chooser without a model: BM25 over the texts that a client is given. It knows no meaning, only words, so it shows whether the
 * texts contain the words that people use and keep the tools apart. It does not show what a model would do.
 */

export interface Text {
  readonly name: string
  readonly text: string
}

export interface Choice {
  readonly name: string
  readonly score: number
}

/** the usual constants: saturation of repeated words, weight of a text's length */
const K1 = 1.2
const B = 0.75

const STOP = new Set(
  `a an the of to in on at for from by with and or is are was were be been it its this that these those i me my you your do does did
 has have had how what which who whom when where why will would should can could there any all so if as not no than then me please
 give show tell list get us they their them he she his her about into out up`.split(/\s+/),
)
/** of these the question words carry the meaning of a tool's text */
for (const kept of ['who', 'why', 'all', 'list']) STOP.delete(kept)

/** Words without their common endings. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP.has(word)).map(stem)
}

function stem(word: string): string {
  for (const ending of ['ations', 'ation', 'ing', 'ers', 'ies', 'ed', 'er', 'es', 's', 'e', 'y'])
    if (word.length - ending.length >= 3 && word.endsWith(ending)) return word.slice(0, -ending.length)
  return word
}

export function createChooser(texts: readonly Text[]): (question: string) => readonly Choice[] {
  const rows = texts.map(({ name, text }) => {
    const words = wordsOf(text)
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { name, length: words.length, counts }
  })
  const mean = rows.reduce((sum, { length }) => sum + length, 0) / rows.length
  const rarity = (word: string): number => {
    const having = rows.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (rows.length - having + 0.5) / (having + 0.5))
  }
  return (question) => {
    const asked = [...new Set(wordsOf(question))]
    const scored = rows.map(({ name, length, counts }) => {
      let score = 0
      for (const word of asked) {
        const count = counts.get(word) ?? 0
        score += (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / mean))
      }
      return { name, score }
    })
    return scored.sort((a, b) => b.score - a.score)
  }
}
