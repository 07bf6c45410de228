/** What the window is called: a stranger's words, short, on one line, and unable to turn the rest around. */

const LONGEST = 24
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

interface Named {
  readonly symbol: string | null
  readonly name: string | null
}

export function titleOf(mint: string, meta: Named | null, score: number | null): string {
  const words = [meta?.symbol, meta?.name].map((text) => (text ?? '').replace(INVISIBLE, ' ').trim())
  const name = words.find((text) => text !== '') ?? `${mint.slice(0, 6)}…`
  const letters = [...name]
  const short = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name
  return `${short}${score === null ? '' : ` ${score.toFixed(1)}`} · Token Intelligence`
}
