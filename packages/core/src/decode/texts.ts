import { normaliseText } from '../base/normalise.ts'
import { plainLine } from '../base/plain-text.ts'
import type { CreateEvent } from '../model/events.ts'

/** Bounds of a token's texts, several times what wallets display. */
const CHARACTERS = { name: 128, symbol: 64, uri: 512 }

export type LaunchTexts = Pick<CreateEvent, 'name' | 'symbol' | 'uri' | 'nameNorm' | 'symbolNorm'>

/** What the deployer said in a launch: cleaned, bounded, and made comparable. */
export function launchTexts(given: {
  readonly name: string
  readonly symbol: string
  readonly uri: string
}): LaunchTexts {
  const name = plainLine(given.name, CHARACTERS.name)
  const symbol = plainLine(given.symbol, CHARACTERS.symbol)
  const uri = plainLine(given.uri, CHARACTERS.uri)
  return { name, symbol, uri, nameNorm: normaliseText(name), symbolNorm: normaliseText(symbol) }
}

/** The same from three strings that follow each other, each after four bytes of length. */
export const textsAt = (b: Buffer, nameAt: number, symbolAt: number, uriAt: number, end: number): LaunchTexts =>
  launchTexts({
    name: b.toString('utf8', nameAt + 4, symbolAt),
    symbol: b.toString('utf8', symbolAt + 4, uriAt),
    uri: b.toString('utf8', uriAt + 4, end),
  })
