import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { decodeEntry, encodeEntry } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'
import { type KnownWallet, withFirstFundings } from './first-fundings.ts'

const named = (name: string): Key => name.padEnd(32, '.') as Key
const funding = (wallet: string, slot: number): Fact => ({
  ...{ kind: 'funding', wallet: named(wallet), funder: named('x'), slot, exchange: true, lamports: 5 },
})
const facts = (byOperator: boolean, ...list: Fact[]): LogEntry => ({ kind: 'facts', time: 1, byOperator, facts: list })

/** The entries left, each in a batch of its own, if the state knows these wallets. */
async function left(entries: readonly LogEntry[], wallets: Readonly<Record<string, ReturnType<KnownWallet>>>) {
  const counts = createCounts()
  const stream: EntryStream = {
    counts: createCounts(),
    async *batches() {
      for (const entry of entries) yield [Buffer.from(encodeEntry(entry))]
    },
  }
  const known: KnownWallet = (address) => wallets[address.replaceAll('.', '')] ?? null
  const out: LogEntry[] = []
  const cursor = { slot: -1, time: 0, facts: 0 }
  for await (const batch of withFirstFundings(stream, known, counts).batches(cursor, new AbortController().signal)) {
    assert.ok(batch.length > 0)
    for (const bytes of batch) out.push(decodeEntry(out.length, bytes))
  }
  return { out, counts: Object.fromEntries(counts) }
}

test('who was seen before the payment, or has a funder, keeps what is known; all others are new', async () => {
  const block: LogEntry = { kind: 'block', slot: 9, parent: 8, time: 1, events: [] }
  const price: Fact = { kind: 'sol_price', usd: 150 }
  const given = [
    facts(true, funding('new', 5), funding('old', 5), funding('same slot', 5), funding('funded', 5)),
    facts(true, funding('old', 5)),
    block,
    facts(false, funding('old', 5)),
    facts(true, price),
  ]
  const { out, counts } = await left(given, {
    old: { firstSlot: 4, funder: -1 },
    'same slot': { firstSlot: 5, funder: -1 },
    funded: { firstSlot: 7, funder: 0 },
  })
  assert.deepEqual(out, [
    facts(true, funding('new', 5), funding('same slot', 5)),
    block,
    facts(false),
    facts(true, price),
  ])
  assert.deepEqual(counts, { kept: 2, not_first: 3, known: 1 })
})
