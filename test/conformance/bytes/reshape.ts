import { base58Encode, keyFromBase58, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'

/** Names of the instructions that the pump program logged. */
export function namesOf(logs: readonly string[]): string[] {
  const names: string[] = []
  const stack: string[] = []
  for (const line of logs) {
    const invoke = /^Program (\w+) invoke \[\d+\]$/.exec(line)
    if (invoke !== null) stack.push(invoke[1]!)
    else if (/^Program \w+ (success|failed)/.test(line)) stack.pop()
    const name = /^Program log: Instruction: (\w+)$/.exec(line)
    if (name !== null && keyFromBase58(stack.at(-1) ?? '') === PUMP) names.push(name[1]!)
  }
  return names
}

/** Payloads that the pump program logged, by regular expressions over whole lines. */
export function slowPayloads(logs: readonly string[]): Buffer[] {
  const payloads: Buffer[] = []
  const stack: string[] = []
  for (const line of logs) {
    const invoke = /^Program (\w+) invoke \[\d+\]$/.exec(line)
    const data = /^Program data: (\S+)$/.exec(line)
    if (invoke !== null) stack.push(invoke[1]!)
    else if (/^Program \w+ (success|failed)/.test(line)) stack.pop()
    else if (data !== null && keyFromBase58(stack.at(-1) ?? '') === PUMP) payloads.push(Buffer.from(data[1]!, 'base64'))
  }
  return payloads
}

/** One transaction written in the other shapes: keys from address tables listed, nothing loaded. */
const b58 = (data: Buffer): string => base58Encode(data.toString('latin1'))
const groups = (tx: RawTransaction, one: (instruction: RawInstruction) => unknown) =>
  tx.inner!.map(({ outer, instructions }) => ({ index: outer, instructions: instructions.map(one) }))

/** `jsonParsed`: keys as objects, instructions by key. */
export function asParsed(tx: RawTransaction, meta: object): unknown {
  const name = (index: number): string => keyToBase58(tx.keys[index]!)
  const one = ({ program, accounts, data }: RawInstruction) =>
    data.length === 0
      ? { programId: name(program), parsed: {} }
      : { programId: name(program), accounts: [...accounts].map(name), data: b58(data) }
  const message = {
    accountKeys: tx.keys.map((key) => ({ pubkey: keyToBase58(key) })),
    instructions: tx.instructions.map(one),
  }
  const transaction = { signatures: [sigToBase58(tx.signature)], message }
  return { version: 0, transaction, meta: { ...meta, innerInstructions: groups(tx, one) } }
}

/** `json`: keys as text, instructions by index. */
export function asPlain(tx: RawTransaction, meta: object): unknown {
  const one = ({ program, accounts, data }: RawInstruction) => ({
    programIdIndex: program,
    accounts: [...accounts],
    data: b58(data),
  })
  const message = { accountKeys: tx.keys.map(keyToBase58), instructions: tx.instructions.map(one) }
  const transaction = { signatures: [sigToBase58(tx.signature)], message }
  return {
    version: 'legacy',
    transaction,
    meta: { ...meta, loadedAddresses: null, innerInstructions: groups(tx, one) },
  }
}

/** A Yellowstone transaction info. */
export function asGrpc(tx: RawTransaction, meta: Record<string, unknown>): unknown {
  const one = ({ program, accounts, data }: RawInstruction) => ({
    programIdIndex: program,
    accounts: Buffer.from(accounts),
    data,
  })
  const message = {
    accountKeys: tx.keys.map((key) => Buffer.from(key, 'latin1')),
    instructions: tx.instructions.map(one),
  }
  const strings = (list: unknown) => (list as number[]).map(String)
  return {
    signature: Buffer.from(tx.signature, 'latin1'),
    index: '0',
    transaction: { message },
    meta: {
      preBalances: strings(meta.preBalances),
      postBalances: strings(meta.postBalances),
      preTokenBalances: meta.preTokenBalances,
      postTokenBalances: meta.postTokenBalances,
      innerInstructions: groups(tx, one),
      logMessages: meta.logMessages,
    },
  }
}
