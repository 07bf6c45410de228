import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { TOKEN_2022_TEXT, TOKEN_TEXT } from '../model/programs.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'

/** Both token programs: MintTo and MintToChecked take mint, account, authority; data is a tag byte and the amount. */
export const TOKEN_PROGRAMS: ReadonlySet<Key> = new Set([TOKEN_TEXT, TOKEN_2022_TEXT].map(key))
const MINT_TO = 7
const MINT_TO_CHECKED = 14

/** True for a call that mints tokens of `mint`, with the amount in its data. */
export function isMinting({ keys }: RawTransaction, call: RawInstruction, mint: Key): boolean {
  const { program, accounts, data } = call
  if ((data[0] !== MINT_TO && data[0] !== MINT_TO_CHECKED) || data.length < 9 || accounts.length < 3) return false
  return keys[accounts[0]!] === mint && TOKEN_PROGRAMS.has(keys[program]!)
}

/** True if the transaction mints tokens of `mint`. */
export const hasMinting = (tx: RawTransaction, mint: Key): boolean =>
  tx.instructions.some((call) => isMinting(tx, call, mint)) ||
  (tx.inner ?? []).some(({ instructions }) => instructions.some((call) => isMinting(tx, call, mint)))
