import { createCounts } from '@ti/core/base/counts.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { fetchedFromJson, transactionFromJson } from '@ti/service/source/shape/json.ts'
import { foldEntries } from '../test/conformance/bytes/fold.ts'
import { transactionJson } from '../test/fakes/rpc-json.ts'
import { fitsV1 } from '../test/fakes/transaction-wire.ts'
import fc from '../test/support/property.ts'
import { historyOf, moves } from '../test/support/token-histories.ts'
import type { BenchRow } from './types.ts'

/** Version 1 must not cost more than version 0; a run's noise is about 5 %. */
const BAR = 0.95
const SLOTS = 60
const CONFIG = { priorityFee: 52_815, computeUnitLimit: 89_467 }

type Answer = ReturnType<typeof transactionJson>

/** The same transactions of a simulated market as a node's answers in each version, as far as both can express them. */
async function answersOf(): Promise<{ readonly v0: readonly Answer[]; readonly v1: readonly Answer[] }> {
  const sent: RawTransaction[] = []
  const source = createSimulator({ seed: 3, speed: 0, slots: SLOTS })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    if (item.kind === 'raw') sent.push(...item.block.transactions)
  const v1 = sent.map((tx) => ({ ...tx, version: 1 as const, config: CONFIG }))
  const both = v1.map(fitsV1)
  return {
    v0: sent.filter((_, i) => both[i]).map((tx) => transactionJson({ ...tx, version: 0 })),
    v1: v1.filter((_, i) => both[i]).map((tx) => transactionJson(tx)),
  }
}

function task(answers: readonly Answer[]): { size: number; task: () => number } {
  return {
    size: answers.length,
    task() {
      const counts = createCounts()
      const transactions = answers.map((answer, i) => {
        const tx = transactionFromJson(answer, counts, i)
        if (tx === null) throw new Error(`refused: ${[...counts.keys()].join(', ')}`)
        return tx
      })
      return createDecoder().decodeBlock({ slot: 1, parent: 0, time: 0, transactions }).events.length
    },
  }
}

const thousands = (perSecond: number): string => `${(perSecond / 1_000).toFixed(1)} k/s`

type Race = (tasks: readonly { readonly size: number; readonly task: () => void }[]) => number[]

/** 10^9 tokens of 9 decimals are more base units than a number can count. */
const DECIMALS_BAR = 0.8
const MOVES = 3_000
const PER_BLOCK = 10

/** Decoding and folding of one history, whose amounts have 9 decimals instead of 6. */
export function benchDecimals(race: Race): BenchRow {
  const [history = []] = fc.sample(moves(true, MOVES), { numRuns: 1, seed: 1 })
  const tasks = ([6, 9] as const).map((decimals) => {
    const read = historyOf(history, decimals).answers.map((answer) => fetchedFromJson(answer, createCounts())!)
    const blocks = read.flatMap(({ slot, time }, i) => {
      const transactions = read.slice(i, i + PER_BLOCK).map(({ transaction }) => transaction)
      return i % PER_BLOCK === 0 ? [{ slot, parent: slot - 1, time, transactions }] : []
    })
    return {
      size: read.length,
      task() {
        const decoder = createDecoder()
        return foldEntries(blocks.map((block) => decoder.decodeBlock(block))).events.length
      },
    }
  })
  const events = tasks.map((one) => one.task())
  if (events[0]! < MOVES / 2) throw new Error(`${events.join(' and ')} events`)
  const [six, nine] = race(tasks)
  const ratio = nine! / six!
  const detail = `${tasks.map(({ size }) => size).join(' and ')} transactions, decoded and folded to ${events.join(' and ')} events: 9 decimals ${thousands(nine!)}, 6 decimals ${thousands(six!)}`
  return { name: 'tokens of 9 decimals against 6', ratio, bar: DECIMALS_BAR, pass: ratio >= DECIMALS_BAR, detail }
}

/** Transactions per second of each version, from a node's answer to events; `race` as in the other rows. */
export async function benchVersions(race: Race): Promise<BenchRow> {
  const { v0, v1 } = await answersOf()
  const tasks = [task(v0), task(v1)]
  const events = tasks.map((one) => one.task())
  if (events[0] !== events[1] || events[0] === 0) throw new Error(`${events.join(' and ')} events`)
  const [rate0, rate1] = race(tasks)
  const ratio = rate1! / rate0!
  const detail = `${v0.length} simulated transactions as base64 answers, to ${events[0]} events: version 1 ${thousands(rate1!)}, version 0 ${thousands(rate0!)}`
  return { name: 'transactions of version 1 against version 0', ratio, bar: BAR, pass: ratio >= BAR, detail }
}
