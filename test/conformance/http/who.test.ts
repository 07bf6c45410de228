import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { ActorProfile } from '@ti/core/contract/actors.ts'
import { TokenExplanation } from '@ti/core/contract/explain.ts'
import { Check, HOLDERS_LISTED, Who } from '@ti/core/contract/who.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import { explain } from '@ti/core/query/explain.ts'
import { createOperations, noArguments, type Operation } from '@ti/core/query/operations.ts'
import { createPreviews } from '@ti/core/query/previews.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { startFake } from '../../support/fake-service.ts'
import { bearer, callOf, dataOf, post, resultOf } from '../mcp/raw.ts'
import { KEYS, startMcp } from '../mcp/service.ts'
import { BUILD, buildOf, OWN, openPage } from './web-scene.ts'

/** Who is behind a token, over a market in which somebody is. */
const dir = mkdtempSync(join(tmpdir(), 'who-'))
let node: Node
let query: ReturnType<typeof createQuery>
let operations: Map<string, Operation>

before(async () => {
  node = await openNode(dir)
  const entries = createEntryStream(await openSource('simulator:speed=0&trades=12000&market=2'))
  await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
  query = createQuery({ engine: node.engine, store: node.store })
  operations = new Map(createOperations(readsOf(query)).map((operation) => [operation.endpoint.id, operation]))
})
after(async () => {
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

const mints = (): string[] =>
  [...node.engine.tokens.live()]
    .sort((a, b) => b.token.trades - a.token.trades)
    .map(({ token }) => keyToBase58(token.mint))

/** What the operation answers, judged by its schema; the message of a 400. */
async function ask(id: string, argument: string, search: Record<string, string> = {}) {
  const operation = operations.get(id)!
  const args = noArguments()
  const problem = operation.parse(argument, search, args)
  if (problem !== null) return problem
  const found = (await operation.run(args, 'req_1')) as Answer | null
  if (found === null) return null
  const answer = JSON.parse(Buffer.from(found.body, 'latin1').toString())
  operation.endpoint.response.parse(answer)
  return answer
}

const who = async (mint: string): Promise<Who> => Who.parse((await ask('who', mint)).data)

const transactionsOf = ({ groups }: Who) =>
  groups.flatMap(({ exit, evidence }) => [
    ...(exit?.transactions ?? []),
    ...evidence.flatMap(({ families }) => families.flatMap(({ transactions }) => transactions)),
  ])

test('every transaction it names is a trade in the log, of that wallet, slot, side and size', async () => {
  const bySignature = new Map<string, string[]>()
  for (const row of node.store.trades(0)) {
    const wallet = keyToBase58(node.store.wallet(row.wallet)!.address)
    const mint = keyToBase58(node.store.token(row.token)!.mint)
    const side = row.isBuy ? 'buy' : 'sell'
    const told = [mint, wallet, row.slot, side, row.lamports / 1e9].join()
    const signature = sigToBase58(row.sig)
    bySignature.set(signature, [...(bySignature.get(signature) ?? []), told])
  }
  let [named, families, bare] = [0, 0, 0]
  for (const mint of mints()) {
    const answer = await who(mint)
    assert.equal(answer.coverage.evidence_left_out, 0, mint)
    for (const { signature, wallet, slot, side, sol } of transactionsOf(answer)) {
      named++
      assert.ok(bySignature.get(signature)?.includes([mint, wallet, slot, side, sol].join()), signature)
    }
    for (const { evidence, members } of answer.groups) {
      const wallets = new Set(members.map(({ wallet }) => wallet))
      for (const pair of evidence) {
        if (members.length < QUERY_BOUNDS.whoMembers) assert.ok(pair.wallets.every((wallet) => wallets.has(wallet)))
        for (const { family, transactions, slot } of pair.families) {
          if (['transfer', 'funder', 'consolidation'].includes(family)) continue
          families++
          if (transactions.length === 0) bare++
          for (const one of transactions) {
            assert.ok(pair.wallets.includes(one.wallet), family)
            assert.ok(slot !== null && one.slot <= slot, `${family}: ${one.slot} is after ${slot}`)
          }
        }
      }
    }
  }
  assert.ok(named > 100 && families > 50, `too little is named: ${named} transactions, ${families} families`)
  assert.ok(bare < families / 10, `${bare} of ${families} families that rest on trades name none`)
})

const WORST_FIRST = ['red', 'yellow', 'neutral', 'green']

test('the verdict: worst first, numbers as elsewhere in the answer, of every colour there is', async () => {
  const codes = new Set<string>()
  const colours = new Set<string>()
  for (const mint of mints()) {
    const answer = await who(mint)
    const { colour, headline, reasons, history, since_slot } = answer.verdict
    const ranks = reasons.map((one) => WORST_FIRST.indexOf(one.colour))
    assert.deepEqual(ranks, [...ranks].sort(), mint)
    assert.ok(reasons.some(({ text }) => text === headline))
    assert.equal(history.at(-1)?.colour ?? 'neutral', colour)
    if (history.length > 0) assert.equal(since_slot, history.at(-1)!.slot)
    if (colour === 'green') assert.ok(!answer.coverage.unknown.includes('launch'))
    colours.add(colour)
    for (const { code, text, numbers } of reasons) {
      codes.add(code)
      assert.ok(!/NaN|undefined|null|Infinity/.test(text), text)
      if (code === 'rugged') assert.equal(numbers.slot, answer.memory.rugged!.slot)
      if (code === 'group_exit')
        assert.equal(numbers.sold_pct, answer.groups.find(({ id }) => id === numbers.id)!.sold_pct)
      if (code === 'bundled') assert.equal(numbers.held_pct, answer.classes.bundled!.held_pct)
      if (code === 'score') assert.ok(text.includes((numbers.value as number).toFixed(1)))
    }
  }
  for (const code of [
    'rugged',
    'group_exit',
    'deployer_sold',
    'actor',
    'bundled',
    'score',
    'unknown_holders',
    'launch_unseen',
    'no_groups',
  ]) {
    assert.ok(codes.has(code), `nothing is ${code} in this market: ${[...codes]}`)
  }
  for (const colour of ['red', 'yellow', 'neutral']) assert.ok(colours.has(colour), `nothing is ${colour}`)
})

test('holders and explanation are those of the other answers', async () => {
  const views = createViews(node.engine, node.store, 100)
  let full = 0
  for (const mint of mints().slice(0, 60)) {
    const { holders, slot, coverage } = await who(mint)
    const { data: snapshot } = await ask('snapshot', mint)
    assert.equal(holders.count, snapshot.holders.count)
    assert.equal(holders.top_10_pct, snapshot.holders.top_10_pct)
    assert.deepEqual(
      holders.top.slice(0, snapshot.holders.top.length).map(({ wallet, holds_pct }) => [wallet, holds_pct]),
      snapshot.holders.top.map(({ address, pct_of_supply }: { address: string; pct_of_supply: number }) => [
        address,
        pct_of_supply,
      ]),
    )
    assert.equal(holders.top.length, Math.min(HOLDERS_LISTED, holders.count))
    assert.equal(coverage.holders_told, holders.top.length)
    if (holders.top.length === HOLDERS_LISTED) full++
    const told = TokenExplanation.parse((await ask('explain', mint)).data)
    assert.equal(told.slot, slot)
    assert.deepEqual(told.served, snapshot.score)
    assert.deepEqual(told.ratings, snapshot.ratings)
    const { actors: _, ...sum } = told
    const id = node.store.tokenIdByMint(
      [...node.engine.tokens.live()].find(({ token }) => keyToBase58(token.mint) === mint)!.token.mint,
    )!
    assert.deepEqual(sum, JSON.parse(JSON.stringify(explain(views.byId(id), QUERY_BOUNDS.explainedHolders))))
    const points = told.score.contributions.reduce((all, one) => all + one.points, 0)
    assert.ok(Math.abs(points - told.score.value) < 1e-6)
  }
  assert.ok(full > 3, `${full} tokens have more holders than are told`)
})

test('actors by name and number; their deployers and tokens are what the log has', async () => {
  const { nextActor } = node.engine.globals
  assert.ok(nextActor > 5, `${nextActor} actors`)
  for (let no = 0; no < nextActor; no++) {
    const told = ActorProfile.parse((await ask('actor', `${no}`)).data)
    assert.deepEqual((await ask('actor', told.id)).data, told)
    assert.equal(told.members.length, told.wallets)
    assert.equal(told.recent_tokens.filter(({ launched }) => launched).length, told.launched)
    assert.equal(
      told.deployers.reduce((all, { launches }) => all + launches, 0),
      told.launched,
    )
    assert.ok(told.edges.length <= told.edges_total)
  }
  assert.equal(await ask('actor', `${nextActor}`), null)
  assert.equal(await ask('actor', 'act_111111111111'), null)
  for (const bad of ['', '-1', '01', 'act_', 'act_0', '1.5', '__proto__', 'x'.repeat(500)]) {
    assert.equal(typeof (await ask('actor', bad)), 'string', bad)
  }
})

test('links to actors and deployers have a head and a picture of their record', async (t) => {
  const previews = createPreviews({ store: node.store, views: query.views, query })
  const index = await readFile(join(import.meta.dirname, '../../../packages/page/index.html'), 'utf8')
  const { ask: read } = await openPage(t, { previews, files: await buildOf(t, { ...BUILD, 'index.html': index }) })
  const { id, name, members } = ActorProfile.parse((await ask('actor', '0')).data)
  const launcher = node.store.wallet(
    [...node.engine.tokens.live()].find(({ token }) => token.deployer >= 0)!.token.deployer,
  )!
  const wallet = keyToBase58(launcher.address)
  for (const [path, title, verdict] of [
    [`actor/${id}`, name, `${members.length} wallets on `],
    ['actor/0', name, `${members.length} wallets on `],
    [`deployer/${wallet}`, wallet.slice(0, 4), `${launcher.launches} launch`],
  ] as const) {
    const page = (await read(`/${path}`, { accept: 'text/html' })).body.toString()
    const of = (tag: string): string => new RegExp(`<meta ${tag} content="([^"]*)"`).exec(page)?.[1] ?? ''
    assert.ok(of('property="og:title"').startsWith(title), `${path}: ${of('property="og:title"')}`)
    assert.ok(of('property="og:description"').startsWith(verdict), `${path}: ${of('property="og:description"')}`)
    const drawn = await read(new URL(of('name="twitter:image"')).pathname)
    assert.equal(drawn.body.subarray(1, 4).toString(), 'PNG', path)
  }
  for (const nobody of [`${node.engine.globals.nextActor}`, 'act_111111111111', 'x', '1e3', '01', 'constructor']) {
    assert.equal((await read(`/share/actor/${nobody}.png`)).status, 404, nobody)
    const page = await read(`/actor/${nobody}`, { accept: 'text/html' })
    assert.deepEqual([page.status, page.body.toString().includes('og:title')], [200, false], nobody)
  }
})

test('positions: page by page each token once, newest first, as the store has them', async () => {
  let [pages, complete] = [0, 0]
  for (let id = 0; id < node.engine.globals.nextWallet; id += 37) {
    const record = node.store.wallet(id)!
    const wallet = keyToBase58(record.address)
    const seen: string[] = []
    let last = Number.POSITIVE_INFINITY
    let cursor: string | null = null
    do {
      const answer: {
        data: Record<string, never>[]
        summary: Record<string, unknown>
        meta: { page: { next_cursor: string | null } }
      } = await ask('positions', wallet, { limit: '3', ...(cursor !== null && { cursor }) })
      for (const one of answer.data) {
        assert.ok(one.last_slot! <= last)
        last = one.last_slot!
        seen.push(one.mint!)
      }
      cursor = answer.meta.page.next_cursor
      pages++
      if (cursor === null) {
        assert.equal(answer.summary.known, seen.length)
        if (answer.summary.complete === true) complete++
      }
    } while (cursor !== null)
    assert.equal(new Set(seen).size, seen.length)
    for (const token of record.recent) assert.ok(seen.includes(keyToBase58(node.store.token(token)!.mint)))
  }
  assert.ok(pages > 100 && complete > 50, `${pages} pages, ${complete} complete`)
  assert.equal(typeof (await ask('positions', mints()[0]!, { cursor: 'x' })), 'string')
})

describe('at a slot', () => {
  test('what was answered is answered again; what was not is refused by name', async () => {
    const [mint, other] = mints()
    const slot = node.engine.globals.slot
    for (const id of ['snapshot', 'who', 'check', 'explain']) {
      const now = await ask(id, mint!)
      assert.deepEqual(await ask(id, mint!, { at_slot: `${slot}` }), now)
      const refused = await ask(id, mint!, { at_slot: `${slot - 1}` })
      assert.match(refused, new RegExp(`earliest answer kept is of slot ${slot}`))
    }
    const part = await ask('snapshot', mint!, { at_slot: `${slot}`, fields: 'score,market' })
    assert.deepEqual(Object.keys(part.data), ['market', 'score'])
    assert.match(await ask('who', other!, { at_slot: '1' }), /is not kept/)
    for (const bad of ['', 'x', '-1', '1.5', '99999999999999999999']) {
      assert.equal(typeof (await ask('who', mint!, { at_slot: bad })), 'string', bad)
    }
  })
})

test('one answer by REST, by MCP and for the page; the short one is at most 600 characters', async (t) => {
  const rest = await startFake({ query, unlimited: true })
  t.after(rest.close)
  const mcp = await startMcp({ query })
  t.after(mcp.close)
  const { ask: read, visit } = await openPage(t, { answers: query, files: null })
  const visitor = { ...OWN, ...(await visit()) }
  const [mint] = mints()
  for (const [id, tool, path] of [
    ['who', 'who_is_behind', `/v1/tokens/${mint}/who`],
    ['check', 'check_token', `/v1/tokens/${mint}/check`],
    ['explain', 'explain_score', `/v1/tokens/${mint}/explain`],
    ['actor', 'actor_profile', '/v1/actors/0'],
  ] as const) {
    const answer = await fetch(`${rest.baseUrl}${path}`, { headers: { authorization: `Bearer ${rest.key}` } })
    assert.equal(answer.status, 200, path)
    const { data } = (await answer.json()) as { data: unknown }
    const args = { ...(id === 'actor' ? { id: '0' } : { mint }), ...(id !== 'check' && { detail: 'full' }) }
    assert.deepEqual(dataOf(await post(mcp, callOf(tool, args), bearer(KEYS.pro))).data, data, tool)
    assert.deepEqual((await ask(id, id === 'actor' ? '0' : mint!)).data, data)
    assert.deepEqual((await read(`/app${path}`, visitor)).json().data, data, `/app${path}`)
  }
  for (const one of mints()) {
    const result = resultOf(await post(mcp, callOf('check_token', { mint: one }), bearer(KEYS.pro)))
    const [{ text }] = (result as unknown as { content: [{ text: string }] }).content
    const { colour, text: words } = Check.parse(JSON.parse(text).data)
    assert.ok(words.startsWith(`${colour.toUpperCase()}: `) && words.length <= 600, words)
  }
})

test('read in slices and over many turns it is the same answer, and no piece of it takes a quarter of a turn', async () => {
  const spent: number[] = []
  const cuts = createCuts({
    engine: node.engine,
    store: node.store,
    bounds: { ...QUERY_BOUNDS, readingPositions: 20, readingSlice: 16, readingTurn: 64, readingTurns: 1_000 },
  })
  const spend: typeof cuts.spend = (positions) => {
    spent.push(positions)
    cuts.spend(positions)
  }
  const sliced = createQuery({
    ...{ engine: node.engine, store: node.store, now: () => 0 },
    cuts: { ...cuts, spend },
  })
  for (const mint of mints().slice(0, 60)) {
    for (const name of ['who', 'check', 'explain'] as const) {
      const answer = await sliced.settled(() => sliced[name](mint))
      assert.equal(answer!.bytes.toString(), query[name](mint)!.bytes.toString(), `${name} ${mint}`)
    }
  }
  cuts.close()
  assert.ok(spent.length > 100, `${spent.length} readings were announced`)
  assert.ok(Math.max(...spent) < QUERY_BOUNDS.readingTurn / 4, `${Math.max(...spent)} at once`)
})
