import { key } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { QUOTE } from '../model/events.ts'
import { ASSOCIATED_TOKEN_TEXT, quoteOf, TOKEN_2022_TEXT, TOKEN_TEXT } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { emitBalancesOf } from './balances.ts'
import type { Emission } from './emission.ts'

/**
 * Programs that a wallet's own sending of tokens consists of. Where any other runs, tokens may have moved by a trade on a
 * market we do not read: then nothing is said, because a buyer would pass for someone who was given tokens.
 */
const SENDING: ReadonlySet<Key> = new Set([
  // the system program
  ZERO_KEY,
  ...[
    TOKEN_TEXT,
    TOKEN_2022_TEXT,
    ASSOCIATED_TOKEN_TEXT,
    'ComputeBudget111111111111111111111111111111',
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
    'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
    // guards that wallets put around what they sign
    'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
  ].map(key),
])

const isSending = ({ keys, instructions }: RawTransaction): boolean =>
  instructions.every(({ program }) => program < keys.length && SENDING.has(keys[program]!))

/** Tokens sent from wallet to wallet in a transaction without any launchpad: their owners' balances afterwards. */
export function emitPlainTransfers(at: Emission): void {
  const { preTokens, postTokens } = at.tx
  if (postTokens.length === 0 || !isSending(at.tx)) return
  let inner = 0
  for (const list of [postTokens, preTokens]) {
    for (let i = 0; i < list.length; i++) {
      const { mint } = list[i]!
      if (quoteOf(mint) !== QUOTE.other || isBefore(list, i, mint)) continue
      if (list === preTokens && postTokens.some((row) => row.mint === mint)) continue
      inner = emitBalancesOf(at, mint, inner)
    }
  }
}

const isBefore = (list: RawTransaction['postTokens'], end: number, mint: Key): boolean => {
  for (let i = 0; i < end; i++) if (list[i]!.mint === mint) return true
  return false
}
