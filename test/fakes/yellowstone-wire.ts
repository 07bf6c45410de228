import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'

/** geyser.proto as a service whose answers are bytes already; decoding leaves zeros in, as the official client does. */
const proto = join(dirname(createRequire(import.meta.url).resolve('helius-laserstream/package.json')), 'proto')
const definition = loadSync(join(proto, 'geyser.proto'), { includeDirs: [proto], longs: String, defaults: true })
export const geyser = definition['geyser.Geyser'] as Record<string, MethodDefinition<object, object>>

const subscribe = geyser.Subscribe!

/** SubscribeUpdate as a client's decoder gives it. */
export const decodeUpdate = (bytes: Buffer): unknown => subscribe.responseDeserialize(bytes)

const encode = (update: object): Buffer => subscribe.responseSerialize(update)

export const STATUS = { processed: 0, confirmed: 1, finalized: 2, createdBank: 5, dead: 6 } as const

export const slotUpdate = (slot: number, status: number, parent?: number): Buffer =>
  encode({ filters: ['slots'], slot: { slot, status, ...(parent === undefined ? {} : { parent }) } })

export const pingUpdate = (): Buffer => encode({ filters: [], ping: {} })
export const emptyUpdate = (): Buffer => encode({ filters: ['launchpads'] })

const writtenBefore = new WeakMap<RawBlock, Buffer>()

/** `filters` = 1, `block` = 5: the block's bytes are SubscribeUpdateBlock as they are. Not to be changed: they are sent again. */
export function blockUpdate(block: RawBlock): Buffer {
  const before = writtenBefore.get(block)
  if (before !== undefined) return before
  const bytes = writeBlock(block)
  const update = Buffer.concat([encode({ filters: ['launchpads'] }), Buffer.from([42]), varint(bytes.length), bytes])
  writtenBefore.set(block, update)
  return update
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  return Buffer.from([...bytes, rest])
}
