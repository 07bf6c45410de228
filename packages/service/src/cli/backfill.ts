import { existsSync } from 'node:fs'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { steadyClock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import { lockDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { createRpcClient, REQUESTS_PER_SECOND_MAX, type RpcClient } from '../observe/outbound/json-rpc.ts'
import { type CaptureWriter, createCaptureWriter, partialOf, resumeCaptureWriter } from '../source/capture/writer.ts'
import { type BackfillOptions, BackfillStopped, backfillSlots, backfillTransactions } from '../source/rpc/backfill.ts'
import { type BlockFetcher, createBlockFetcher, TOO_OLD } from '../source/rpc/fetcher.ts'
import { genesisOf } from '../source/rpc/genesis.ts'
import { parseRpcSpec } from '../source/rpc/spec.ts'
import type { SourceItem } from '../source/source.ts'
import { type BackfillState, openSignatures, openState, removeState, SIGNATURES, saveState } from './backfill-state.ts'
import { countsInWords } from './capture-words.ts'
import type { Given, Run } from './definition.ts'
import { type Io, type ProgressBar, throwIfInterrupted } from './io.ts'
import { wrongUsage } from './parse.ts'

/** milliseconds between two notes of how far it came */
const NOTE_MS = 5_000

export const backfill: Run = async (given, io) => {
  const question = questionOf(given)
  const requestsMax = given.whole('requests')
  const rate = rateOf(given.text('rps'))
  const spec = parseRpcSpec(given.text('rpc') ?? '', readOtherOptions(environment()).rpcUrl)
  const rpc = createRpcClient({
    url: spec.url,
    requestsPerSecond: rate ?? spec.requestsPerSecond,
    ...(requestsMax === undefined ? {} : { requestsMax }),
  })
  try {
    const out = given.operands[0]!
    const report = await run(out, question, { rpc, host: spec.url.host, io })
    io.result(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : inWords(out, report))
  } finally {
    await rpc.close()
  }
}

function inWords(out: string, { found, skipped, requests }: Awaited<ReturnType<typeof run>>): string {
  const left = Object.entries(skipped).map(([name, n]) => `  ${name.replaceAll('_', ' ')}: ${n}\n`)
  return `${countsInWords(out, found)}  requests: ${requests}\n${left.join('')}`
}

type Question =
  | { readonly kind: 'slots'; readonly from: number; readonly to: number }
  | { readonly kind: 'mint' | 'wallet'; readonly address: Key; readonly text: string }

function questionOf(given: Given): Question {
  const from = given.whole('from-slot')
  const to = given.whole('to-slot')
  const values = { mint: given.text('mint'), wallet: given.text('wallet') }
  const range = from !== undefined || to !== undefined
  const asked = [range, values.mint !== undefined, values.wallet !== undefined].filter(Boolean).length
  if (asked !== 1) throw wrongUsage('say what to fetch, by one of --from-slot with --to-slot, --mint, --wallet')
  if (range) {
    if (from === undefined || to === undefined || to < from)
      throw wrongUsage('--from-slot and --to-slot name a range: both are needed, the smaller slot first')
    return { kind: 'slots', from, to }
  }
  const kind = values.mint === undefined ? 'wallet' : 'mint'
  const text = values[kind]!
  const address = keyFromBase58(text)
  if (address === null) throw wrongUsage(`--${kind} takes an address (base58 of 32 bytes)`)
  return { kind, address, text }
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = Number(text)
  if (!(rate >= 0.1 && rate <= REQUESTS_PER_SECOND_MAX))
    throw wrongUsage(`--rps takes a number from 0.1 to ${REQUESTS_PER_SECOND_MAX}`)
  return rate
}

const nameOf = (question: Question): string =>
  question.kind === 'slots'
    ? `blocks of slots ${question.from} to ${question.to}`
    : `transactions of ${question.kind} ${question.text}`

interface Tools {
  readonly rpc: RpcClient
  readonly host: string
  readonly io: Io
}

/** The folder beside the output stores the progress and holds the lock. */
async function run(out: string, question: Question, { rpc, host, io }: Tools) {
  if (existsSync(out)) throw new OperatorError(`${out}: exists already; delete it or choose another name`)
  const dir = `${out}.backfill`
  const lock = await lockDataDir(dir)
  io.leaves(partialOf(out), 'run the same command again to continue')
  try {
    const chain = await genesisOf(rpc, io.signal)
    if (chain === 'unanswered') throw new BackfillStopped(io.signal.aborted ? 'interrupted' : 'unanswered')
    // nodes of two chains do not write one file
    const state = openState(dir, chain === 'unsaid' ? nameOf(question) : `${nameOf(question)} of the chain ${chain}`)
    saveState(dir, state)
    const writer = existsSync(partialOf(out))
      ? await resumeCaptureWriter(out)
      : await createCaptureWriter(out, {
          created_at: new Date().toISOString(),
          source: `rpc:${host}`,
          chain: chain === 'unsaid' ? null : chain,
          holds: nameOf(question),
        })
    const report = await fetchInto(writer, { dir, question, state, rpc, io })
    removeState(dir)
    return report
  } catch (error) {
    throwIfInterrupted(io)
    throw error instanceof BackfillStopped ? explained(error) : error
  } finally {
    await lock.release()
  }
}

const WHY = {
  budget: 'the requests of this run are used up',
  unanswered: 'the node does not answer',
  too_old: TOO_OLD,
  interrupted: 'it was interrupted',
} as const

const explained = ({ reason }: BackfillStopped): OperatorError =>
  new OperatorError(`backfill: ${WHY[reason]}; run the same command again to continue`)

async function fetchInto(
  writer: CaptureWriter,
  {
    dir,
    question,
    state,
    rpc,
    io,
  }: Omit<Tools, 'host'> & {
    readonly dir: string
    readonly question: Question
    readonly state: BackfillState
  },
) {
  const before = { requests: state.requests, skipped: { ...state.skipped } }
  const bar = io.progress('backfill')
  const skipped = createCounts()
  const programs = question.kind === 'slots' ? { programs: LAUNCHPAD_PROGRAMS } : {}
  const fetcher = createBlockFetcher({ rpc, counts: skipped, ...programs })
  let slot = -1
  let noted = performance.now()
  const note = (): void => {
    state.requests = before.requests + rpc.requests
    state.skipped = { ...before.skipped }
    for (const [name, n] of skipped) state.skipped[name] = (state.skipped[name] ?? 0) + n
    saveState(dir, state)
  }
  const options: BackfillOptions = {
    fetcher,
    counts: skipped,
    clock: steadyClock,
    signal: io.signal,
    reached: writer.reached,
    onSlot: (done) => {
      slot = done
    },
  }
  try {
    const { items, share } = await itemsOf(question, options, dir, state, bar)
    for await (const item of items) {
      await writer.write(item)
      bar.update(share(slot), () => `slot ${slot}, ${rpc.requests} requests`)
      if (performance.now() - noted < NOTE_MS) continue
      await writer.flush()
      note()
      noted = performance.now()
    }
    note()
    const found = await writer.finish()
    return { found, skipped: sorted(state.skipped), requests: state.requests }
  } catch (error) {
    await writer.leave()
    note()
    throw error
  } finally {
    bar.done()
  }
}

const sorted = (counts: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(counts).sort())

interface Work {
  readonly items: AsyncIterable<SourceItem>
  /** The share of the work done once `slot` is. */
  readonly share: (slot: number) => number
}

async function itemsOf(
  question: Question,
  options: BackfillOptions,
  dir: string,
  state: BackfillState,
  bar: ProgressBar,
): Promise<Work> {
  if (question.kind === 'slots') {
    const { from, to } = question
    return { items: backfillSlots(from, to, options), share: (slot) => (slot - from + 1) / (to - from + 1) }
  }
  const signatures = openSignatures(dir)
  while (!state.listed) {
    const page = await pageOf(question.address, signatures.list.at(-1)?.signature ?? null, options)
    const fresh = signatures.add(page)
    bar.update(0, () => `${signatures.list.length} signatures`)
    state.listed = fresh === 0 || signatures.list.length >= SIGNATURES
    if (fresh > 0 && state.listed) count(options.counts, 'signatures_cut')
    if (state.listed) saveState(dir, state)
  }
  // nodes behind one address may disagree slightly; the sort keeps the order within a slot
  const list = [...signatures.list].sort((a, b) => b.slot - a.slot)
  const first = list.at(-1)?.slot ?? 0
  const last = list[0]?.slot ?? 0
  return {
    items: backfillTransactions(list, options),
    share: (slot) => (slot - first + 1) / (last - first + 1),
  }
}

async function pageOf(address: Key, before: Parameters<BlockFetcher['signatures']>[1], options: BackfillOptions) {
  const { fetcher, signal } = options
  const page = await fetcher.signatures(address, before, signal)
  if (signal.aborted) throw new BackfillStopped('interrupted')
  if (page === null) throw new BackfillStopped(fetcher.rpc.exhausted ? 'budget' : 'unanswered')
  return page
}
