import { key } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { QUOTE } from '../model/events.ts'
import { ASSOCIATED_TOKEN_TEXT, quoteOf, TOKEN_2022_TEXT, TOKEN_TEXT } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { emitMoves } from './balances.ts'
import type { Emission } from './emission.ts'

/**
 * Programs that a plain transfer of tokens consists of. If any other program runs, the tokens may come from a trade on
 * an unread market, so nothing is emitted: a buyer would look like a recipient.
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
    // guards that wallets add to transactions
    'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
  ].map(key),
])

const isSending = ({ keys, instructions }: RawTransaction): boolean =>
  instructions.every(({ program }) => program < keys.length && SENDING.has(keys[program]!))

/** Emits the owners' final balances after tokens were sent between wallets in a transaction without any launchpad. */
export function emitPlainTransfers(at: Emission): void {
  const { preTokens, postTokens } = at.tx
  if (preTokens.length + postTokens.length === 0 || !isSending(at.tx)) return
  let inner = 0
  for (const list of [postTokens, preTokens]) {
    for (let i = 0; i < list.length; i++) {
      const { mint } = list[i]!
      if (quoteOf(mint) !== QUOTE.other || isBefore(list, i, mint)) continue
      if (list === preTokens && postTokens.some((row) => row.mint === mint)) continue
      inner = emitMoves(at, mint, inner)
    }
  }
}

const isBefore = (list: RawTransaction['postTokens'], end: number, mint: Key): boolean => {
  for (let i = 0; i < end; i++) if (list[i]!.mint === mint) return true
  return false
}
