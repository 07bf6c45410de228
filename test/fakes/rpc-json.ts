import { base58Encode, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { RawBlock, RawInstruction, RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'
import { loadedKeys, wireOf } from './transaction-wire.ts'

/** What a node answers about a transaction or a block, from our own shape: encoding base64. */
const b58 = (data: Buffer): string => base58Encode(data.toString('latin1'))

const instructionJson = ({ program, accounts, data }: RawInstruction) => ({
  programIdIndex: program,
  accounts: [...accounts],
  data: b58(data),
  stackHeight: 2,
})

const tokenJson = ({ account, mint, owner, amount, decimals }: RawTokenBalance) => ({
  accountIndex: account,
  mint: keyToBase58(mint),
  ...(owner === null ? {} : { owner: keyToBase58(owner) }),
  uiTokenAmount: { amount: String(amount), decimals, uiAmount: null, uiAmountString: '' },
})

/** Keys out of lookup tables are the last ones. */
export const transactionJson = (tx: RawTransaction) => ({
  version: tx.version ?? 'legacy',
  transaction: [wireOf(tx).toString('base64'), 'base64'],
  meta: {
    err: tx.failed ? { InstructionError: [2, { Custom: 6002 }] } : null,
    fee: 5_000,
    preBalances: Array.from(tx.preBalances),
    postBalances: Array.from(tx.postBalances),
    innerInstructions:
      tx.inner?.map(({ outer, instructions }) => ({ index: outer, instructions: instructions.map(instructionJson) })) ??
      null,
    logMessages: tx.logs,
    preTokenBalances: tx.preTokens.map(tokenJson),
    postTokenBalances: tx.postTokens.map(tokenJson),
    loadedAddresses: { writable: [], readonly: tx.keys.slice(tx.keys.length - loadedKeys(tx)).map(keyToBase58) },
  },
})

/** A transaction of somebody else: no program of ours in it. */
const foreign = (n: number): RawTransaction => ({
  signature: String.fromCharCode(n % 256).repeat(64) as RawTransaction['signature'],
  index: n,
  version: 'legacy',
  config: null,
  tables: [],
  failed: false,
  signers: 1,
  keys: ['a'.repeat(32), '\0'.repeat(32)] as RawTransaction['keys'][number][],
  instructions: [{ program: 1, accounts: Uint8Array.of(0, 0), data: Buffer.from([2, 0, 0, 0]) }],
  inner: [],
  logs: ['Program 11111111111111111111111111111111 invoke [1]', 'Program 11111111111111111111111111111111 success'],
  preBalances: [5, 1],
  postBalances: [4, 1],
  preTokens: [],
  postTokens: [],
})

/** Transactions stand where their index says; the places between are other people's. */
export function blockJson({ slot, parent, time, transactions }: RawBlock) {
  const list = []
  for (const tx of transactions) {
    while (list.length < tx.index) list.push(transactionJson(foreign(list.length)))
    list.push(transactionJson(tx))
  }
  return {
    blockhash: '1'.repeat(32),
    previousBlockhash: '1'.repeat(32),
    blockHeight: slot - 1_000,
    parentSlot: parent,
    blockTime: time,
    transactions: list,
  }
}

export const signatureJson = (tx: RawTransaction, slot: number, time: number) => ({
  signature: sigToBase58(tx.signature),
  slot,
  err: tx.failed ? { InstructionError: [2, { Custom: 6002 }] } : null,
  memo: null,
  blockTime: time,
  confirmationStatus: 'confirmed',
})
