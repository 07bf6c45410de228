import { createHash } from 'node:crypto'
import { keyToBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import type { Group } from '../model/bundles.ts'
import type { Token, Wallet } from '../model/state.ts'

/** Stable names of a coordinated group. The same evidence gives the same name on every node and in every replay. */
export interface BundleName {
  /** `bdl_` and 12 base58 characters. */
  readonly id: string
  /** adjective-noun-number, for display. */
  readonly name: string
}

/**
 * Derived from the SHA-256 of mint, slot of the first evidence (8 bytes, little endian) and the founding wallet with
 * the smallest key.
 */
export function bundleName(mint: Key, firstSlot: number, founder: Key): BundleName {
  return nameFrom('bdl', '', mint, firstSlot, founder)
}

/** The name of a token's group. */
export const groupName = ({ mint }: Token, { firstSlot, founder }: Group, wallet: (id: number) => Wallet): BundleName =>
  bundleName(mint, firstSlot, wallet(founder).address)

/** Like `bundleName`, with `actor` before the hashed bytes; `act_` and 12 characters. */
export function actorName(mint: Key, firstSlot: number, founder: Key): BundleName {
  return nameFrom('act', 'actor', mint, firstSlot, founder)
}

function nameFrom(prefix: string, before: string, mint: Key, firstSlot: number, founder: Key): BundleName {
  const slot = Buffer.alloc(8)
  slot.writeBigUInt64LE(BigInt(firstSlot))
  const hash = createHash('sha256')
    .update(before)
    .update(Buffer.from(mint, 'latin1'))
    .update(slot)
    .update(Buffer.from(founder, 'latin1'))
    .digest()
  const word = (words: readonly string[], at: number): string => words[hash.readUInt16LE(at) % words.length]!
  return {
    id: `${prefix}_${keyToBase58(hash.toString('latin1') as Key).slice(0, 12)}`,
    name: `${word(ADJECTIVES, 24)}-${word(NOUNS, 26)}-${hash.readUInt16LE(28) % 1000}`,
  }
}

const ADJECTIVES =
  'amber ashen blunt brisk calm chalky clever coarse crimson dapper dusty early faded feral fierce frozen gentle giddy golden grim hasty hollow humble icy jagged keen lanky lean lively lunar mellow misty muddy narrow nimble noble odd olive pale plain proud quiet rapid rusty salty shy silent sleek slow smoky solid stark steep sturdy subtle sunny swift tame tart tidy vivid wary wild witty'.split(
    ' ',
  )
const NOUNS =
  'anchor badger barge beacon birch bison brook canyon cedar cliff comet condor coral crane crater dune ember falcon fern finch fjord flint gale gecko glacier grove harbor hawk heron hollow iris jackal juniper kelp lagoon lark lynx maple marsh meadow merlin moth nebula oak orca otter pebble pine quarry raven reef ridge sable sparrow spruce stone summit thistle tundra viper walnut willow wren yew'.split(
    ' ',
  )
