import type { RawBlock } from '@ti/core/model/raw.ts'
import { seededRandom } from '../support/random.ts'
import type { FakeNode, HttpFault } from './rpc.ts'

const HTTP: readonly HttpFault[] = [
  { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 200, body: '<!doctype html><title>busy</title>' },
  { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { kind: 'error', code: -32004 },
  { kind: 'error', code: -32603 },
  { kind: 'error', code: -32014 },
  { kind: 'result', result: null },
  { kind: 'result', result: { transactions: 'none' } },
  { kind: 'reset' },
  { kind: 'cut' },
]

/**
 * Plays the chain to a node's followers with faults by `seed`: none of them lasts, so a source that keeps at it misses
 * nothing. Resolves when the chain has come to its last block.
 */
export async function playWithFaults(
  node: FakeNode,
  blocks: readonly RawBlock[],
  seed: number,
  pause: () => Promise<unknown>,
): Promise<void> {
  const random = seededRandom(seed)
  const chance = (p: number): boolean => random() < p
  const { knobs } = node
  const bad = 0.02 + random() * 0.1
  let streak = 0
  knobs.http = () => {
    // four in a row at most: within the tries of one request
    streak = streak < 4 && chance(bad) ? streak + 1 : 0
    // silence costs a whole timeout
    if (streak > 0 && chance(0.02)) return { kind: 'silent' }
    return streak === 0 ? undefined : HTTP[Math.floor(random() * HTTP.length)]!
  }
  for (const { slot } of blocks) if (chance(0.03)) knobs.unlisted.add(slot)
  const dropped = random() * 0.1
  knobs.times = () => (chance(dropped) ? 0 : chance(0.1) ? 2 : 1)
  for (let at = 0; at < blocks.length; ) {
    // mostly one by one, now and then a burst after a silence, told out of order
    const step = chance(0.1) ? 1 + Math.floor(random() * 8) : 1
    at = Math.min(blocks.length, at + step)
    node.advance(blocks[at - 1]!.slot, (list) => (chance(0.3) ? [...list].reverse() : list))
    if (chance(0.04)) node.hangUp()
    await pause()
  }
  knobs.times = () => 1
}
