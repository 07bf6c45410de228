import { normaliseText } from '../base/normalise.ts'
import { plainLine } from '../base/plain-text.ts'
import type { CreateEvent } from '../model/events.ts'
import { stringEnd } from './reader.ts'

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

/** The same from three strings that follow each other, each after four bytes of length; null if one does not fit. */
export function textsAt(b: Buffer, nameAt: number): { readonly texts: LaunchTexts; readonly end: number } | null {
  const symbolAt = stringEnd(b, nameAt, b.length)
  const uriAt = symbolAt < 0 ? -1 : stringEnd(b, symbolAt, b.length)
  const end = uriAt < 0 ? -1 : stringEnd(b, uriAt, b.length)
  if (end < 0) return null
  const name = b.toString('utf8', nameAt + 4, symbolAt)
  const symbol = b.toString('utf8', symbolAt + 4, uriAt)
  return { texts: launchTexts({ name, symbol, uri: b.toString('utf8', uriAt + 4, end) }), end }
}
