import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { normaliseText } from '@ti/core/base/normalise.ts'
import { ActorProfile } from '@ti/core/contract/actors.ts'
import {
  AppBoard,
  AppExplain,
  AppLine,
  AppLives,
  AppNeighbours,
  AppPast,
  AppSearch,
  AppStatus,
  BoardCards,
  LIVES,
  TRACED,
} from '@ti/core/contract/app.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { SLOT_SECONDS } from '@ti/core/engine/constants.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { passesRugFilter } from '@ti/core/engine/lists.ts'
import { isDead } from '@ti/core/engine/tokens.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { QUOTE } from '@ti/core/model/events.ts'
import { DUP } from '@ti/core/model/metadata.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import type { Position, Token } from '@ti/core/model/state.ts'
import { type AppQuery, createAppQuery } from '@ti/core/query/app.ts'
import { BUSY } from '@ti/core/query/app-line.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { tokenValues } from '@ti/core/query/token-values.ts'
import { createSamples } from '@ti/service/faces/web/samples.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { untilSlot } from '@ti/service/ingest/until.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { READY } from '../../support/fake-service.ts'
import { buildHistory, mintKey, type Step, walletKey } from '../../support/histories.ts'
import { createMemoryStore } from '../../support/memory-store.ts'
import { NO_APP, OWN, openPage } from './web-scene.ts'

const MARKET = 'simulator:speed=0&trades=60000&market=2&surge=0&seed=5'

/** A simulated market, folded whole: what the page is told comes from the same state as what everybody is told. */
describe('over a folded market', () => {
  const dir = mkdtempSync(join(tmpdir(), 'web-app-'))
  let node: Node
  let app: AppQuery
  let query: ReturnType<typeof createQuery>
  let nowMs = 1e12
  before(async () => {
    node = await openNode(dir)
    const entries = createEntryStream(await openSource(MARKET))
    await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
    query = createQuery({ engine: node.engine, store: node.store })
    app = createAppQuery({ engine: node.engine, store: node.store, lists: query, now: () => nowMs })
  })
  after(async () => {
    await node.close()
    rmSync(dir, { recursive: true, force: true })
  })
  /** Those that were seen from their launch on, busiest first. */
  const tokens = () =>
    [...node.engine.tokens.live()]
      .filter(({ token }) => token.symbol !== '')
      .sort((a, b) => b.token.trades - a.token.trades)

  test('every token is explained, in numbers that agree with its snapshot', () => {
    let bundles = 0
    let shares = 0
    for (const { token } of tokens().slice(0, 60)) {
      const mint = keyToBase58(token.mint)
      const told = AppExplain.parse(JSON.parse(String(app.explain(mint))))
      const { score, ratings } = JSON.parse(query.snapshot(mint, ['score', 'ratings'])!.bytes.toString())
      assert.deepEqual(told.served, score, mint)
      assert.deepEqual(told.ratings, ratings, mint)
      const sum = told.score.contributions.reduce((all, { points }) => all + points, 0)
      assert.ok(Math.abs(sum - told.score.value) < 1e-6, `${mint}: ${sum} is not ${told.score.value}`)
      if (told.signals !== null) assert.equal(told.signals.length, 24)
      bundles += told.bundles.filter(({ members, evidence }) => members.length > 1 && evidence.length > 0).length
      shares += Object.values(told.shares).filter(({ largest }) => largest.length > 0).length
    }
    assert.ok(bundles > 10 && shares > 100, `the market has little to explain: ${bundles} bundles, ${shares} shares`)
    assert.equal(app.explain(keyToBase58(walletKey(0))), null)
    assert.equal(app.explain('nonsense'), null)
  })

  const columns = (view = 'launches') => AppBoard.parse(JSON.parse(String(app.board(view)))).columns
  const column = (id: string) => columns(id === 'near' ? 'launches' : id)[id === 'near' ? 1 : 0]!

  test('a card says what the token’s own page says: colour, headline and shares', () => {
    const cards = ['launches', 'pumps', 'survivors', 'agents']
      .flatMap((view) => columns(view))
      .flatMap(({ cards }) => cards)
    assert.ok(cards.length > 10, `${cards.length} tokens are listed`)
    for (const { mint, colour, why, facts, values } of cards) {
      const { verdict, classes, holders } = JSON.parse(query.who(mint)!.bytes.toString())
      assert.deepEqual([colour, why], [verdict.colour, verdict.headline], mint)
      assert.equal(values.snipers_pct, classes.first_3s?.held_pct ?? null, mint)
      assert.equal(values.top_10_pct, holders.top_10_pct, mint)
      assert.equal(values.holders, holders.count, mint)
      for (const { code, value } of facts) if (code === 'dev') assert.equal(value, values.deployer_pct, mint)
    }
    assert.ok(cards.some(({ facts }) => facts.length === 3) && cards.some(({ facts }) => facts.length < 3))
    const before = app.board('launches')
    assert.equal(app.board('launches'), before)
    nowMs += QUERY_BOUNDS.boardKeptMs
    assert.deepEqual(JSON.parse(String(app.board('launches'))), JSON.parse(String(before)))
    assert.equal(app.board('nonsense'), null)
  })

  test('the three columns have each listed token once, where it has come furthest', () => {
    const all = columns()
    assert.deepEqual(
      all.map(({ id }) => id),
      ['new', 'near', 'graduated'],
    )
    const mints = all.flatMap(({ cards }) => cards.map(({ mint }) => mint))
    assert.equal(new Set(mints).size, mints.length)
    const { slot } = node.engine.globals
    const listed = (['new', 'near', 'graduated'] as const).flatMap((name) => {
      const { shown, hidden } = query.listed(name)
      const warned = name === 'new' ? [] : hidden.filter(({ token }) => !isDead(token, slot))
      return [...shown.map(({ view }) => view.live), ...warned].map(({ token }) => keyToBase58(token.mint))
    })
    assert.deepEqual(new Set(mints), new Set(listed))
    assert.ok(
      all[2]!.cards.some(({ colour }) => colour === 'red'),
      'a graduated token that was sold is shown, in red',
    )
  })

  test('what a list hides is counted, and can be read', () => {
    let dropped = 0
    for (const { id, cards, hidden, dropped: forbidden } of columns()) {
      const told = BoardCards.parse(JSON.parse(String(app.hidden(id))))
      assert.equal(told.length, Math.min(hidden, QUERY_BOUNDS.listItems), id)
      assert.ok(forbidden <= hidden, id)
      assert.ok(told.every(({ mint }) => !cards.some((card) => card.mint === mint)))
      dropped += forbidden
    }
    assert.ok(dropped > 0, 'this market hides nothing')
    assert.equal(app.hidden('nonsense'), null)
  })

  test('cards of mints come in the order asked for, without those that are not tracked', () => {
    const mints = tokens()
      .slice(0, 3)
      .map(({ token }) => keyToBase58(token.mint))
    const told = BoardCards.parse(JSON.parse(String(app.cards([...mints, keyToBase58(walletKey(0)), 'x'].join(',')))))
    assert.deepEqual(
      told.map(({ mint }) => mint),
      mints,
    )
    assert.deepEqual(JSON.parse(String(app.cards(''))), [])
  })

  test('an actor counts as bad where it gained by another launch of its own that was drained or rugged', () => {
    const told = tokens().map(({ token }) => ({ token, values: tokenValues(query.views.byId(token.id), node.store) }))
    let [met, bad] = [0, 0]
    for (const { token, values } of told) {
      const profiles = token.actors.map(({ actor }) =>
        ActorProfile.parse(JSON.parse(String(query.actor(`${actor}`)!.bytes))),
      )
      const guilty = profiles.filter(({ recent_tokens }) =>
        recent_tokens.some(
          (one) =>
            one.mint !== values.mint &&
            one.launched &&
            one.got_sol > one.paid_sol &&
            (one.drained_slot !== null || one.rugged_slot !== null),
        ),
      )
      assert.equal(values.bad_actors, new Set(guilty.map(({ id }) => id)).size, values.mint)
      if (values.actors > 0) met++
      if (values.bad_actors > 0) bad++
    }
    assert.ok(bad > 0 && bad < met, `this market does not tell them apart: ${bad} of ${met}`)
  })

  test('near graduation are tokens on their curve with half of it, fullest first', () => {
    const near = column('near').cards
    const filled = near.map(({ values }) => values.curve_pct as number)
    const passing = query.listed('near').shown.length
    assert.ok(passing > 0, 'this market has none')
    assert.ok(
      filled.every((pct, i) => pct >= 50 && pct <= 100 && (i === 0 || i === passing || pct <= filled[i - 1]!)),
      `${filled}`,
    )
    // a full curve takes 85 SOL; near are those that hold half of it and traded within ten minutes
    const { slot } = node.engine.globals
    const onCurve = tokens().flatMap(({ token }) =>
      token.quote === QUOTE.SOL && token.startQuote > 0 && token.migratedSlot < 0
        ? [{ token, pct: Math.round((10_000 * token.realQuote) / 85e9) / 100 }]
        : [],
    )
    const passes = ({ id }: Token): boolean => passesRugFilter(query.views.byId(id))
    const expected = onCurve.filter(
      ({ token, pct }) => pct >= 50 && slot - token.lastTradeSlot <= 1_500 && passes(token),
    )
    const inSol = near
      .slice(0, passing)
      .filter(({ mint }) => onCurve.some(({ token }) => keyToBase58(token.mint) === mint))
    assert.deepEqual(
      inSol.map(({ mint, values }) => [mint, values.curve_pct]).sort(),
      expected.map(({ token, pct }) => [keyToBase58(token.mint), Math.min(100, pct)]).sort(),
    )
  })

  test('a life agrees with what is said of the token elsewhere, in the order asked for', () => {
    const mints = tokens()
      .slice(0, 50)
      .map(({ token }) => keyToBase58(token.mint))
    const lives = AppLives.parse(JSON.parse(String(app.lives([walletKey(0), 'x', ...mints].join(',')))))
    assert.deepEqual(
      lives.map(({ mint }) => mint),
      mints.slice(0, LIVES - 2),
    )
    for (const { mint, colour, state, age_s, drained_s, peak, launched_at } of lives) {
      const { verdict, memory, age_slots } = JSON.parse(query.who(mint)!.bytes.toString()) as Who
      assert.deepEqual([colour, state], [verdict.colour, memory.state.name], mint)
      assert.ok(Math.abs(age_s - age_slots * SLOT_SECONDS) < 0.1, mint)
      assert.equal(drained_s === null, memory.drained === null, mint)
      assert.ok(peak === null || peak.s <= age_s, mint)
      assert.notEqual(launched_at, null, mint)
    }
    assert.ok(
      lives.some(({ drained_s }) => drained_s !== null) && lives.some(({ graduated_s }) => graduated_s !== null),
    )
    assert.equal(app.lives(''), '[]')
  })

  test('who buys beside a wallet is what all trades of its tokens say', async () => {
    const rows = new Map<number, TradeRow[]>()
    for (const row of node.store.trades(0)) rows.set(row.token, [...(rows.get(row.token) ?? []), row])
    const wallets = new Set([...rows.values()].flat().map(({ wallet }) => wallet))
    const busy = [...wallets].map((id) => node.engine.wallet(id)).filter(({ recent }) => recent.length > 5)
    let found = 0
    const bounds = { ...QUERY_BOUNDS, neighbourTrades: 1e6 }
    const all = createAppQuery({ engine: node.engine, store: node.store, lists: query, now: () => nowMs, bounds })
    for (const { id, address, recent } of busy.slice(0, 25)) {
      const counts = new Map<string, { before: number; after: number }>()
      let bought = 0
      for (const token of recent) {
        const first = node.store.positionOf(token, id)!.firstBuySlot
        if (first < 0) continue
        bought++
        const buys = rows.get(token)!.filter(({ isBuy, slot }) => isBuy && Math.abs(slot - first) <= 25)
        const own = buys.findIndex(({ wallet }) => wallet === id)
        const before = new Set(buys.slice(0, own).map(({ wallet }) => wallet))
        for (const wallet of new Set(buys.map(({ wallet }) => wallet))) {
          if (wallet === id) continue
          const other = keyToBase58(node.engine.wallet(wallet).address)
          const count = counts.get(other) ?? { before: 0, after: 0 }
          count[before.has(wallet) ? 'before' : 'after']++
          counts.set(other, count)
        }
      }
      const told = AppNeighbours.parse(JSON.parse(String(await all.neighbours(keyToBase58(address)))))
      assert.deepEqual([told.tokens, told.unread], [bought, 0])
      for (const { wallet, before, after } of told.wallets)
        assert.deepEqual({ before, after }, counts.get(wallet), wallet)
      const often = [...counts.values()].filter(({ before, after }) => before + after > 1)
      assert.equal(told.wallets.length, Math.min(QUERY_BOUNDS.neighbours, often.length))
      found += told.wallets.length
    }
    assert.ok(found > 20, `${found} wallets`)
    assert.equal(await app.neighbours(keyToBase58(mintKey(0))), null)
  })

  test('of a token with many trades the first purchase is out of reach, and that is said', async () => {
    const bounds = { ...QUERY_BOUNDS, neighbourTrades: 5 }
    const few = createAppQuery({ engine: node.engine, store: node.store, lists: query, now: () => nowMs, bounds })
    const { token } = tokens()[0]!
    const [first] = [...node.store.trades(0)].filter((row) => row.token === token.id && row.isBuy)
    const told = JSON.parse(String(await few.neighbours(keyToBase58(node.engine.wallet(first!.wallet).address))))
    assert.ok(AppNeighbours.parse(told).unread > 0)
  })

  test('what a token reuses leads to the token that had it first', () => {
    const all = tokens().map(({ token }) => token)
    const byMint = new Map(all.map((token) => [keyToBase58(token.mint) as string, token]))
    let found = 0
    for (const token of all) {
      const { earlier } = AppExplain.parse(JSON.parse(String(app.explain(keyToBase58(token.mint)))))
      const fields = TRACED.filter((field) => token.dup[field === 'symbol_name' ? 'symbolName' : field] === DUP.yes)
      assert.deepEqual(
        earlier.map(({ field }) => field),
        fields,
      )
      for (const { field, token: first } of earlier) {
        found++
        const other = byMint.get(first.mint)
        if (other === undefined) continue
        // images and links are reused from the token that they were first known of, whichever was launched first
        if (field !== 'symbol' && field !== 'name') continue
        assert.ok(other.id < token.id, 'an earlier one')
        assert.equal(normaliseText(other[field]), normaliseText(token[field]))
      }
    }
    assert.ok(found > 3, `${found} things are reused in this market`)
  })

  test('a line has every trade in it, in order, at most 300 points', async () => {
    const kinds = new Set<string>()
    for (const { token } of tokens().slice(0, 60)) {
      const line = AppLine.parse(JSON.parse((await app.line(keyToBase58(token.mint))) as string))
      const rows = node.store.tradesBack(token.lastTradeNo, 1e6)
      assert.equal(
        line.points.reduce((all, { trades }) => all + trades, 0),
        rows.length,
      )
      assert.equal(line.truncated, false)
      assert.ok(
        line.points.every(({ time }, i) => i === 0 || time > line.points[i - 1]!.time),
        'times go up',
      )
      const sol = (isBuy: boolean) =>
        rows.filter((row) => row.isBuy === isBuy).reduce((all, { lamports }) => all + lamports, 0) / 1e9
      const told = (name: 'buys_sol' | 'sells_sol') => line.points.reduce((all, point) => all + point[name], 0)
      assert.ok(Math.abs(told('buys_sol') - sol(true)) < 1e-6, 'bought')
      assert.ok(Math.abs(told('sells_sol') - sol(false)) < 1e-6, 'sold')
      const { slot, mcap, time } = line.points.at(-1)!
      assert.deepEqual([slot, mcap, time], [rows[0]!.slot, rows[0]!.mcap, rows[0]!.time])
      assert.ok(
        line.marks.every(({ time }, i) => i === 0 || time >= line.marks[i - 1]!.time),
        'marks go up',
      )
      for (const mark of line.marks) {
        kinds.add(mark.kind)
        if (mark.wallets > 0)
          assert.ok(
            rows.some((row) => row.slot === mark.slot && !row.isBuy),
            'a sale',
          )
      }
      if (token.migratedSlot >= 0) assert.equal(line.marks.filter(({ kind }) => kind === 'graduated').length, 1)
    }
    assert.ok(
      kinds.has('group_sell') && kinds.has('kol_sell') && kinds.has('launcher_sell'),
      `the market has little to mark: ${[...kinds]}`,
    )
    assert.equal(await app.line(keyToBase58(walletKey(0))), null)
  })

  test('as of a slot the page has what a replay that stopped there served', async () => {
    const stopped = await openNode(join(dir, 'stopped'))
    const { firstSlot, slot: end } = node.engine.globals
    const slot = Math.floor(firstSlot + (end - firstSlot) * 0.6)
    const entries = untilSlot(createEntryStream(await openSource(MARKET)), slot)
    await stopped.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
    const then = createQuery({ engine: stopped.engine, store: stopped.store })
    const seen = { colours: new Set<string>(), changes: 0, holders: 0, cohorts: 0, moved: 0 }
    const compared = [...stopped.engine.tokens.live()].filter(({ token }) => token.createdKnown && token.trades > 0)
    for (const { token } of compared.slice(0, 150)) {
      const mint = keyToBase58(token.mint)
      const past = AppPast.parse(JSON.parse((await app.past(mint, slot)) as string))
      const { verdict } = JSON.parse(String(then.who(mint)!.bytes)) as Who
      const { market, status } = JSON.parse(String(then.snapshot(mint, ['market', 'status'])!.bytes))
      const change = verdict.history.at(-1)
      assert.deepEqual(
        past.verdict,
        {
          colour: verdict.colour,
          code: change?.code ?? null,
          event: verdict.event,
          since_slot: change?.slot ?? null,
        },
        mint,
      )
      seen.colours.add(verdict.colour)
      if (node.engine.tokens.peekId(token.id)?.token.verdict.history.at(-1)?.slot !== change?.slot) seen.changes++
      assert.deepEqual(
        [past.mcap, past.peak_mcap, past.trades, past.graduated],
        [market.mcap, market.ath_mcap, token.trades, status.has_migrated],
        mint,
      )
      const positions = stopped.store.positions(token.id)
      const held = new Map<string, Position>(
        positions.map((one) => [keyToBase58(stopped.engine.wallet(one.wallet).address), one]),
      )
      const share = (tokens: number) => Math.round((10_000 * tokens) / token.supply) / 100
      for (const { wallet, holds_pct } of past.holders!.top) {
        assert.equal(holds_pct, share(held.get(wallet)!.balance), `${mint}: ${wallet}`)
        seen.holders++
      }
      seen.moved += past.holders!.moved
      // who bought first is known at once, so these cohorts have the same wallets then and now
      const { money } = JSON.parse(String(then.who(mint)!.bytes)) as Who
      for (const name of ['first_block', 'first_3s'] as const) {
        const one = past.money!.find(({ cohort }) => cohort === name)!
        const other = money.find(({ cohort }) => cohort === name)!
        assert.equal(one.wallets, other.wallets, `${mint}: ${name}`)
        if (one.moved > 0) continue
        assert.ok(Math.abs(one.holds_pct - other.holds_pct) < 0.011, `${mint}: ${name} held`)
        assert.ok(Math.abs(one.peak_pct - other.peak_pct) < 0.011, `${mint}: ${name} peak`)
        // the answer of that time counts fees
        assert.ok(one.paid_sol! <= other.paid_sol! && one.paid_sol! >= 0.9 * other.paid_sol!, `${mint}: ${name} paid`)
        seen.cohorts++
      }
    }
    await stopped.close()
    assert.ok(seen.colours.size >= 3 && seen.changes > 10, `${[...seen.colours]}, ${seen.changes} changed`)
    assert.ok(seen.holders > 500 && seen.cohorts > 50 && seen.moved > 0, JSON.stringify(seen))
  })

  test('a long history is cut at a bound and says so; a crowd of lines is sent away; one line is read once', async () => {
    const bounds = { ...QUERY_BOUNDS, lineTrades: 50, lineTradesPerTurn: 20, linesWaiting: 2, linePoints: 10 }
    let reads = 0
    const store: typeof node.store = Object.create(node.store, {
      tradesBack: {
        value(no: number, limit: number) {
          reads++
          return node.store.tradesBack(no, limit)
        },
      },
    })
    const small = createAppQuery({ engine: node.engine, store, lists: query, now: () => nowMs, bounds })
    const [first, second, third] = tokens().map(({ token }) => keyToBase58(token.mint))
    const answers = await Promise.all([small.line(first!), small.line(first!), small.line(second!), small.line(third!)])
    assert.equal(answers[3], BUSY)
    assert.equal(answers[0], answers[1])
    assert.equal(reads, 6, 'three pieces for each of two')
    for (const answer of answers.slice(0, 3)) {
      const line = AppLine.parse(JSON.parse(answer as string))
      assert.equal(
        line.points.reduce((all, { trades }) => all + trades, 0),
        50,
      )
      assert.ok(line.points.length <= 10, `${line.points.length} points`)
      assert.equal(line.truncated, true)
    }
    assert.equal(await small.line(first!), answers[0])
    assert.equal(reads, 6, 'nothing traded since')
  })

  test('a token is found by its address and by the beginning of symbol or name, a wallet by its address', () => {
    const search = (q: string) => AppSearch.parse(JSON.parse(String(app.search(q))))
    const all = tokens().map(({ token }) => token)
    const [token] = all
    const mint = keyToBase58(token!.mint)
    assert.deepEqual(
      search(mint).tokens.map((found) => found.mint),
      [mint],
    )
    assert.deepEqual(
      search(` ${mint} `).tokens.map((found) => found.mint),
      [mint],
    )
    for (const q of [token!.symbol, token!.symbol.slice(0, 3).toLowerCase(), token!.name.slice(0, 4)]) {
      const { tokens: found } = search(q)
      const begins = (text: string) => text.toLowerCase().replaceAll(' ', '').startsWith(q.toLowerCase().trim())
      assert.ok(found.length > 0 && found.length <= 10, q)
      for (const one of found)
        assert.ok(begins(one.symbol) || begins(one.name) || begins(one.mint), `${q}: ${one.symbol}, ${one.name}`)
      const expected = all.filter(({ symbol, name }) => begins(symbol) || begins(name)).length
      assert.ok(found.length >= Math.min(10, expected), q)
    }
    const exact = search(token!.symbol).tokens
    assert.equal(exact[0]!.symbol, token!.symbol, 'the symbol itself comes first')
    for (const q of ['', '   ', '\u200b', 'no such thing anywhere', '%', '__proto__', 'x'.repeat(500)]) {
      const { nothing, ...found } = search(q)
      assert.deepEqual(found, { tokens: [], wallet: null, people: [] }, JSON.stringify(q))
      assert.equal(nothing === null, q.trim() === '', JSON.stringify(q))
    }
    const deployer = node.engine.wallet(token!.deployer)
    assert.deepEqual(search(keyToBase58(deployer.address)), {
      tokens: [],
      wallet: {
        address: keyToBase58(deployer.address),
        user_name: deployer.name,
        is_deployer: true,
        trades: deployer.trades,
      },
      ...{ people: [], nothing: null },
    })
  })

  test('what is pasted leads to the token: links, pairs, pairs in lower case, the beginning of a mint, crews', () => {
    const search = (q: string) => AppSearch.parse(JSON.parse(String(app.search(q))))
    const { token } = tokens().find(({ token }) => token.curve !== null && token.actors.length > 0)!
    const [mint, pair] = [keyToBase58(token.mint), keyToBase58(token.curve!)]
    for (const pasted of [
      `https://solscan.io/token/${mint}`,
      `https://pump.fun/coin/${mint}`,
      `https://birdeye.so/token/${mint}?chain=solana`,
      `https://gmgn.ai/sol/token/ref_${mint}`,
      `https://dexscreener.com/solana/${pair.toLowerCase()}`,
      `https://axiom.trade/meme/${pair}`,
      `https://photon-sol.tinyastro.io/en/lp/${pair}?handle=1`,
      mint.toLowerCase(),
      mint.slice(0, 12),
    ])
      assert.deepEqual(
        search(pasted).tokens.map((found) => found.mint),
        [mint],
        pasted,
      )
    assert.ok(
      search(`$${token.symbol}`).tokens.every(({ symbol }) =>
        normaliseText(symbol).startsWith(normaliseText(token.symbol)),
      ),
    )
    const { id, name } = ActorProfile.parse(JSON.parse(String(query.actor(`${token.actors[0]!.actor}`)!.bytes)))
    assert.ok(
      search(name).people.some((one) => one.id === id && one.kind === 'actor'),
      name,
    )
    assert.equal(search(id).people[0]!.name, name)
    assert.match(
      search(`https://solscan.io/token/${keyToBase58(walletKey(0))}`).nothing!,
      /from solscan\.io has not traded/,
    )
  })

  test('the whole way: page, session, answers, each judged by its schema', async (t) => {
    const { ask, visit } = await openPage(t, { query: app })
    const visitor = { ...OWN, ...(await visit()) }
    const mint = keyToBase58(tokens()[0]!.token.mint)
    const data = async (path: string) => {
      const answer = await ask(path, visitor)
      assert.equal(answer.status, 200, answer.body.toString())
      assert.deepEqual(Object.keys(answer.json()), ['data'])
      return answer.json().data
    }
    assert.equal(AppExplain.parse(await data(`/app/tokens/${mint}/explain`)).mint, mint)
    assert.ok(AppLine.parse(await data(`/app/tokens/${mint}/line?x=1`)).points.length > 1, 'points')
    assert.equal(AppSearch.parse(await data(`/app/search?q=${mint}`)).tokens.length, 1)
    AppStatus.parse(await data('/app/status'))
    nowMs++
    for (const [path, status] of [
      [`/app/tokens/${keyToBase58(walletKey(1))}/line`, 404],
      [`/app/tokens/${keyToBase58(walletKey(1))}/explain`, 404],
      ['/app/tokens/nonsense/line', 400],
      [`/app/tokens/${mint}0/explain`, 400],
      [`/app/search?q=${'x'.repeat(401)}`, 400],
      [`/app/tokens/${mint}/other`, 404],
    ] as const) {
      const answer = await ask(path, visitor)
      assert.deepEqual(
        [answer.status, answer.json().error.code],
        [status, status === 400 ? 'bad_request' : 'not_found'],
        path,
      )
    }
  })
})

const step = (action: Step['action'], wallet: number, size: number, gap = 1, token = 0): Step => ({
  gap,
  token,
  wallet,
  action,
  size,
})

function serve(entries: readonly LogEntry[], now = () => 0) {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 100 })
  const feed = (more: readonly LogEntry[]): void => {
    for (const entry of more) engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  feed(entries)
  const lists = createQuery({ engine, store })
  return { app: createAppQuery({ engine, store, lists, now }), feed }
}

const renamed = (entries: LogEntry[], name: string): LogEntry[] =>
  entries.map((entry) =>
    entry.kind !== 'block'
      ? entry
      : {
          ...entry,
          events: entry.events.map((event) => (event.kind === 'create' ? { ...event, name, symbol: name } : event)),
        },
  )

test('what strangers call their tokens arrives as it is, and nothing but it', async (t) => {
  const hostile = [
    '</script><script>alert(1)</script>',
    '"}],"tokens":[{"mint":"',
    '\u2028\u2029\u202e evil \u0000',
    '__proto__',
    '漢字 🚀 é',
    "'; drop table tokens; --",
    'x'.repeat(10_000),
  ]
  for (const name of hostile) {
    const { app } = serve(renamed(buildHistory([step('create', 0, 1), step('buy', 1, 500)]), name))
    const { ask, visit } = await openPage(t, { query: app, files: null })
    const visitor = { ...OWN, ...(await visit()) }
    const mint = keyToBase58(mintKey(0))
    const explained = await ask(`/app/tokens/${mint}/explain`, visitor)
    assert.deepEqual(
      [explained.json().data.said_by_deployer.name, explained.headers.get('content-type')],
      [name, 'application/json; charset=utf-8'],
    )
    const q = encodeURIComponent([...name].slice(0, 12).join(''))
    const found = await ask(`/app/search?q=${q}`, visitor)
    assert.deepEqual(
      found.json().data.tokens.map((one: { name: string }) => one.name),
      [name],
      name,
    )
  }
})

test('the index learns of new tokens, at most once a second', () => {
  let ms = 0
  const history = buildHistory([step('create', 0, 1), step('create', 1, 1, 1, 1)])
  const { app, feed } = serve(history.slice(0, 2), () => ms)
  const found = () => JSON.parse(String(app.search('token'))).tokens.length
  assert.equal(found(), 1)
  feed(history.slice(2))
  assert.equal(found(), 1, 'not yet')
  ms += QUERY_BOUNDS.searchRefreshMs
  assert.equal(found(), 2)
})

test('a line of one trade, of none, and one that is given again for a moment while trades go on', async () => {
  let ms = 0
  const history = buildHistory([
    step('create', 0, 1),
    step('buy', 1, 500),
    step('sell', 1, 400, 30),
    step('migrate', 0, 1),
  ])
  const { app, feed } = serve(history.slice(0, 2), () => ms)
  const line = async (): Promise<AppLine> =>
    AppLine.parse(JSON.parse((await app.line(keyToBase58(mintKey(0)))) as string))
  assert.deepEqual(await line(), { points: [], marks: [], truncated: false })
  feed(history.slice(2, 3))
  ms += QUERY_BOUNDS.lineKeptMs
  assert.deepEqual(
    (await line()).points.map(({ trades, sells_sol }) => [trades, sells_sol]),
    [[1, 0]],
  )
  feed(history.slice(3))
  assert.equal((await line()).points.length, 1, 'given again')
  ms += QUERY_BOUNDS.lineKeptMs
  const { points, marks } = await line()
  assert.equal(points.length, 2)
  assert.deepEqual(
    marks.map(({ kind, mcap }) => [kind, mcap]),
    [['graduated', points[1]!.mcap]],
  )
})

test('while the service is not ready the status is told and nothing else', async (t) => {
  const status = () => ({ ...READY, ready: false, reason: 'catching up: 90 s behind', lagSlots: null })
  const { ask, visit } = await openPage(t, { status, query: { ...NO_APP, line: async () => BUSY } })
  const visitor = { ...OWN, ...(await visit()) }
  for (const path of ['/app/search?q=a', `/app/tokens/${keyToBase58(mintKey(0))}/line`, '/app/v1/tokens/new']) {
    const answer = await ask(path, visitor)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'], path)
  }
  const told = AppStatus.parse((await ask('/app/status', visitor)).json().data)
  assert.deepEqual([told.ready, told.reason, told.lag_slots], [false, 'catching up: 90 s behind', null])
})

test('a crowd of lines is told to come again, a failure is a 500 that tells nothing', async (t) => {
  const explain = () => {
    throw new Error('secret detail')
  }
  const { ask, visit, logged } = await openPage(t, { query: { ...NO_APP, explain, line: async () => BUSY } })
  const visitor = { ...OWN, ...(await visit()) }
  const path = `/app/tokens/${keyToBase58(mintKey(0))}`
  const busy = await ask(`${path}/line`, visitor)
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1'])
  const failed = await ask(`${path}/explain`, visitor)
  assert.deepEqual([failed.status, failed.json().error.message], [500, 'internal error'])
  assert.ok(logged.join('').includes('secret detail'), 'it is in the log')
})

test('samples: what was folded in each span, the newest ten minutes', () => {
  const samples = createSamples(3)
  const take = (seq: number, lagSlots: number | null) =>
    samples.take(
      { seq, trades: seq * 10, lagSlots, memoryBytes: 100 + seq, storeBytes: 200 + seq, sockets: seq },
      1_000 * seq,
    )
  take(5, 1)
  assert.deepEqual(samples.series().blocks, [], 'the first says only where counting begins')
  for (const [seq, lag] of [
    [7, 2],
    [7, null],
    [10, 4],
    [11, 5],
  ] as const) {
    take(seq, lag)
  }
  assert.deepEqual(samples.series(), {
    times: [7, 10, 11],
    blocks: [0, 3, 1],
    trades: [0, 30, 10],
    lag_slots: [-1, 4, 5],
    memory_bytes: [107, 110, 111],
    store_bytes: [207, 210, 211],
    sockets: [7, 10, 11],
  })
})
