import { keyToBase58 } from '@ti/core/base/base58.ts'
import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import type { RawBlock, RawInnerGroup, RawInstruction, RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'
import { WireError } from './error.ts'
import type { WireBlock } from './reader.ts'

/**
 * Writes SubscribeUpdateBlock of Yellowstone; the inverse of the reader. Loaded addresses are written among the static
 * keys (indices stay the same). Default values are left out, as protobuf has it.
 */

/** First size of the shared output buffer; it doubles as needed. */
const BUFFER_BYTES = 1 << 20
/** Refuses a block that no reader would take. */
const BLOCK_BYTES_MAX = 64 << 20
/** u64 maximum: position unknown, see the reader. */
const UNKNOWN_INDEX = Buffer.from('ffffffffffffffffff01', 'hex')
/** TransactionError on the wire: InstructionError(2, Custom(6002)) in bincode. The reader looks at presence only. */
const SOME_ERROR = Buffer.from('08000000021900000072170000', 'hex')

/** Up to these lengths a loop of our own beats the call into native code. */
const SHORT_BYTES = 64
const SHORT_TEXT = 200

let out = Buffer.allocUnsafe(BUFFER_BYTES)
let at = 0

/** The block's bytes as they came, or newly written. A copy with other contents must not carry `bytes` along. */
export const blockBytes = (block: RawBlock): Buffer => (block as Partial<WireBlock>).bytes ?? writeBlock(block)

export function writeBlock(block: RawBlock): Buffer {
  at = 0
  varint(8)
  varint(block.slot)
  if (block.time > 0) {
    const start = open(34)
    numberField(8, Math.floor(block.time))
    close(start)
  }
  for (const transaction of block.transactions) writeTransactionInfo(transaction)
  if (block.parent >= 0) numberField(56, block.parent)
  return Buffer.from(out.subarray(0, at))
}

function writeTransactionInfo(transaction: RawTransaction): void {
  const info = open(50)
  if (transaction.signature !== '') latin1Field(10, transaction.signature)
  if (transaction.keys.length > 0 || transaction.instructions.length > 0) {
    const body = open(26)
    if (transaction.signature !== '') latin1Field(10, transaction.signature)
    const message = open(18)
    if (transaction.signers > 0) {
      const header = open(10)
      numberField(8, transaction.signers)
      close(header)
    }
    for (const key of transaction.keys) latin1Field(18, key)
    for (const instruction of transaction.instructions) writeInstruction(34, instruction)
    writeVersion(transaction)
    close(message)
    close(body)
  }
  const meta = open(34)
  writeMeta(transaction)
  close(meta)
  if (transaction.index === -1) {
    reserve(11)
    out[at++] = 40
    at += UNKNOWN_INDEX.copy(out, at)
  } else numberField(40, transaction.index)
  close(info)
}

/** Lookup tables by their address alone: what they added stands among the keys. */
function writeVersion({ version, config, tables }: RawTransaction): void {
  if (version === 0 || version === 1) numberField(40, 1)
  for (const table of tables) {
    const start = open(50)
    latin1Field(10, table)
    close(start)
  }
  if (version !== 1) return
  const start = open(58)
  numberField(8, config?.priorityFee ?? 0)
  numberField(16, config?.computeUnitLimit ?? 0)
  close(start)
}

function writeMeta(transaction: RawTransaction): void {
  if (transaction.failed) {
    const error = open(10)
    bytesField(10, SOME_ERROR)
    close(error)
  }
  writeNumbers(26, transaction.preBalances)
  writeNumbers(34, transaction.postBalances)
  if (transaction.inner === null) numberField(80, 1)
  else for (const group of transaction.inner) writeInnerGroup(group)
  if (transaction.logs === null) numberField(88, 1)
  else for (const line of transaction.logs) textField(50, line)
  for (const balance of transaction.preTokens) writeTokenBalance(58, balance)
  for (const balance of transaction.postTokens) writeTokenBalance(66, balance)
}

function writeInstruction(tag: number, instruction: RawInstruction): void {
  const start = open(tag)
  numberField(8, instruction.program)
  if (instruction.accounts.length > 0) bytesField(18, instruction.accounts)
  if (instruction.data.length > 0) bytesField(26, instruction.data)
  close(start)
}

function writeInnerGroup(group: RawInnerGroup): void {
  const start = open(42)
  numberField(8, group.outer)
  for (const instruction of group.instructions) writeInstruction(18, instruction)
  close(start)
}

function writeNumbers(tag: number, values: ArrayLike<number>): void {
  if (values.length === 0) return
  const start = open(tag)
  for (let i = 0; i < values.length; i++) varint(values[i]!)
  close(start)
}

function writeTokenBalance(tag: number, balance: RawTokenBalance): void {
  const start = open(tag)
  numberField(8, balance.account)
  textField(18, keyText(balance.mint))
  const amount = open(26)
  numberField(16, balance.decimals)
  textField(26, String(balance.amount))
  close(amount)
  if (balance.owner !== null) textField(34, keyText(balance.owner))
  close(start)
}

/** Places for recent keys and their base58: encoding costs a microsecond and the same mints and owners come again. */
const TEXTS = 1 << 14
const recentKeys: Key[] = new Array(TEXTS).fill(ZERO_KEY)
const recentTexts: string[] = new Array(TEXTS).fill(keyToBase58(ZERO_KEY))

function keyText(key: Key): string {
  const place = ((key.charCodeAt(3) << 8) ^ (key.charCodeAt(4) << 4) ^ key.charCodeAt(5)) & (TEXTS - 1)
  if (recentKeys[place] === key) return recentTexts[place]!
  const text = keyToBase58(key)
  recentKeys[place] = key
  recentTexts[place] = text
  return text
}

function reserve(bytes: number): void {
  if (at + bytes <= out.length) return
  if (at + bytes > BLOCK_BYTES_MAX) throw new WireError(`block of more than ${BLOCK_BYTES_MAX} bytes`)
  const larger = Buffer.allocUnsafe(Math.max(out.length * 2, at + bytes))
  out.copy(larger, 0, 0, at)
  out = larger
}

function varint(value: number): void {
  if (value < 128 && value >= 0 && at < out.length) {
    out[at++] = value
    return
  }
  if (!(value >= 0)) throw new WireError(`${value} is not an unsigned number`)
  reserve(10)
  let rest = value
  while (rest > 0x7fffffff) {
    // four groups at once: division of doubles is slow
    const low = rest % 0x10000000
    rest = (rest - low) / 0x10000000
    out[at++] = (low & 127) | 128
    out[at++] = ((low >>> 7) & 127) | 128
    out[at++] = ((low >>> 14) & 127) | 128
    out[at++] = (low >>> 21) | 128
  }
  while (rest > 127) {
    out[at++] = (rest & 127) | 128
    rest >>>= 7
  }
  out[at++] = rest
}

function numberField(tag: number, value: number): void {
  if (value === 0) return
  varint(tag)
  varint(value)
}

function bytesField(tag: number, bytes: Uint8Array): void {
  varint(tag)
  const { length } = bytes
  varint(length)
  reserve(length)
  if (length > SHORT_BYTES) out.set(bytes, at)
  else {
    const target = out
    const start = at
    for (let i = 0; i < length; i++) target[start + i] = bytes[i]!
  }
  at += length
}

function latin1Field(tag: number, text: string): void {
  const { length } = text
  varint(tag)
  varint(length)
  reserve(length)
  const target = out
  const start = at
  for (let i = 0; i < length; i++) target[start + i] = text.charCodeAt(i)
  at = start + length
}

function textField(tag: number, text: string): void {
  const start = open(tag)
  reserve(text.length * 3)
  if (text.length > SHORT_TEXT || !asciiInto(text)) at += out.write(text, at, text.length * 3, 'utf8')
  close(start)
}

/** False, with nothing written, when the text is not ASCII. */
function asciiInto(text: string): boolean {
  const { length } = text
  const target = out
  const start = at
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return false
    target[start + i] = code
  }
  at = start + length
  return true
}

/** Begins a length-delimited field: one byte is left for its length, `close` makes room when it needs more. */
function open(tag: number): number {
  varint(tag)
  reserve(1)
  return ++at
}

function close(start: number): void {
  const length = at - start
  if (length < 128) {
    out[start - 1] = length
    return
  }
  const more = length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : length < 1 << 28 ? 3 : 4
  reserve(more)
  out.copyWithin(start + more, start, at)
  const end = at + more
  at = start - 1
  varint(length)
  at = end
}
