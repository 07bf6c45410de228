import { type Key, keyAt, sigAt } from '@ti/core/base/ids.ts'
import type { RawConfig, RawInstruction } from '@ti/core/model/raw.ts'
import type { Wire, WireRefusal } from './wire.ts'

/**
 * Transactions of version 1 (SIMD-0385). The message comes first and the signatures last, all numbers are little-endian:
 * version byte, header, config mask, blockhash, number of instructions, number of addresses, addresses, config values,
 * instruction headers, instruction payloads, signatures.
 */
export const V1_BYTE = 0x81

/** Bounds of the format; no transaction on the chain exceeds them. */
export const V1_MAX = { bytes: 4_096, addresses: 64, instructions: 64, signatures: 12 } as const

const AT = { header: 1, mask: 4, instructions: 40, addresses: 41, keys: 42 } as const
/** Bits of the config mask; the priority fee takes two words. */
const FEE = 0b11
const UNIT_LIMIT = 0b100
const DATA_SIZE = 0b1000
const HEAP = 0b10000
const KNOWN = FEE | UNIT_LIMIT | DATA_SIZE | HEAP
const INSTRUCTION_HEADER = 4
const SIGNATURE = 64
const KEY = 32

/** The transaction, or why it cannot be read; `bytes` begin with `V1_BYTE`. */
export function parseV1(bytes: Buffer): Wire | WireRefusal {
  if (bytes.length < AT.keys || bytes.length > V1_MAX.bytes) return 'bad_wire'
  const mask = bytes.readUInt32LE(AT.mask)
  if ((mask & ~KNOWN) !== 0) return 'unknown_config'
  const fee = mask & FEE
  if (fee !== 0 && fee !== FEE) return 'bad_wire'
  const signatures = bytes[AT.header]!
  const instructions = bytes[AT.instructions]!
  const addresses = bytes[AT.addresses]!
  if (!isSane(bytes)) return 'bad_wire'
  const config = AT.keys + addresses * KEY
  const headers = config + 4 * bitsOf(mask)
  const payloads = headers + instructions * INSTRUCTION_HEADER
  const end = bytes.length - signatures * SIGNATURE
  if (payloads > end) return 'bad_wire'
  const keys = keysOf(bytes, addresses)
  const read = keys === null ? null : instructionsOf(bytes, { headers, payloads, end }, addresses)
  if (keys === null || read === null) return 'bad_wire'
  return {
    signature: sigAt(bytes, end),
    version: 1,
    config: configOf(bytes, config, mask),
    tables: [],
    keys,
    signers: signatures,
    instructions: read,
    writable: 0,
    readonly: 0,
  }
}

/** The rules for the header and the numbers of things; the fee payer signs and is writable. */
function isSane(bytes: Buffer): boolean {
  const signatures = bytes[AT.header]!
  const addresses = bytes[AT.addresses]!
  return (
    bytes[AT.header + 1]! < signatures &&
    signatures <= V1_MAX.signatures &&
    signatures + bytes[AT.header + 2]! <= addresses &&
    addresses <= V1_MAX.addresses &&
    bytes[AT.instructions]! <= V1_MAX.instructions
  )
}

function bitsOf(mask: number): number {
  let bits = 0
  for (let left = mask; left !== 0; left &= left - 1) bits++
  return bits
}

/** Places of keys by some of their bytes: twice as many as there are keys at most. */
const PLACES = 2 * V1_MAX.addresses
/** Scratch for one transaction at a time: 1 + index of the key that has the place, 0 none. */
const places = new Uint8Array(PLACES)

/** Null where one is there twice. A Set of strings would hash all their bytes, and take as long as the rest of the reading. */
function keysOf(bytes: Buffer, length: number): Key[] | null {
  const keys: Key[] = []
  places.fill(0)
  for (let i = 0, at: number = AT.keys; i < length; i++, at += KEY) {
    const key = keyAt(bytes, at)
    let place = (bytes[at + 5]! ^ (bytes[at + 17]! << 3) ^ bytes[at + 26]!) % PLACES
    for (; places[place] !== 0; place = (place + 1) % PLACES) if (keys[places[place]! - 1] === key) return null
    places[place] = i + 1
    keys.push(key)
  }
  return keys
}

function configOf(bytes: Buffer, at: number, mask: number): RawConfig {
  const hasFee = (mask & FEE) !== 0
  const limit = at + (hasFee ? 8 : 0)
  return {
    priorityFee: hasFee ? bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32 : 0,
    computeUnitLimit: (mask & UNIT_LIMIT) !== 0 ? bytes.readUInt32LE(limit) : 0,
  }
}

interface Parts {
  readonly headers: number
  readonly payloads: number
  /** start of the signatures: payloads end exactly there */
  readonly end: number
}

function instructionsOf(bytes: Buffer, { headers, payloads, end }: Parts, addresses: number): RawInstruction[] | null {
  const instructions: RawInstruction[] = []
  let at = payloads
  for (let header = headers; header < payloads; header += INSTRUCTION_HEADER) {
    const program = bytes[header]!
    const data = at + bytes[header + 1]!
    const next = data + bytes.readUInt16LE(header + 2)
    if (next > end || program >= addresses) return null
    for (let i = at; i < data; i++) if (bytes[i]! >= addresses) return null
    instructions.push({ program, accounts: bytes.subarray(at, data), data: bytes.subarray(data, next) })
    at = next
  }
  return at === end ? instructions : null
}
