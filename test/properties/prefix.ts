import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import { actorsOf } from '@ti/core/query/actors.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { LIST_NAMES, type Query } from '@ti/core/query/query.ts'
import { createViews } from '@ti/core/query/view.ts'
import { renderWho } from '@ti/core/query/who.ts'
import { commitEntries } from '@ti/service/ingest/commit.ts'
import { readHead } from '@ti/service/log/codec.ts'
import { WALLETS_CACHED } from '@ti/service/service/node.ts'
import { openStore } from '@ti/service/store/open.ts'
import type { Store } from '@ti/service/store/store.ts'

/**
 * What is served for slot S must depend on events up to S alone: two ways to S are compared by the bytes they serve.
 *
 * A store of its own in a temporary folder, with an engine that can be closed and opened again in place.
 */
export interface Folder {
  readonly engine: Engine
  readonly store: Store
  /** folds `entries` in commits of `group` entries */
  fold(entries: Iterable<Buffer>, group: number): void
  restart(): Promise<void>
  remove(): Promise<void>
}

export function createFolder(): Folder {
  const dir = mkdtempSync(join(tmpdir(), 'prefix-'))
  let store = openStore(dir)
  let engine = createEngine({ reader: store, walletsCached: WALLETS_CACHED })
  const commit = (entries: readonly Buffer[]): void => commitEntries({ engine, store }, entries, true)
  return {
    get engine() {
      return engine
    },
    get store() {
      return store
    },
    fold(entries, group) {
      let pending: Buffer[] = []
      for (const bytes of entries) {
        pending.push(bytes)
        if (pending.length < group) continue
        commit(pending)
        pending = []
      }
      if (pending.length > 0) commit(pending)
    },
    async restart() {
      await store.close()
      store = openStore(dir)
      engine = createEngine({ reader: store, walletsCached: WALLETS_CACHED })
    },
    async remove() {
      await store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export const queryOf = ({ engine, store }: Folder): Query => createQuery({ engine, store })

/** All lists, and snapshot and trades of the tokens with these ids, as bytes. */
export function serve(folder: Folder, tokens: readonly number[]): Map<string, string> {
  const query = queryOf(folder)
  const answers = new Map<string, string>()
  const keep = (name: string, answer: { bytes: Buffer } | null): void => {
    answers.set(name, answer === null ? 'none' : answer.bytes.toString('latin1'))
  }
  const views = createViews(folder.engine, folder.store, QUERY_BOUNDS.renderedAnswers)
  for (const name of LIST_NAMES) keep(`list ${name}`, query.list(name))
  for (const id of tokens) {
    const token = folder.engine.tokens.peekId(id)?.token ?? folder.store.token(id)
    if (token === undefined) continue
    const mint = keyToBase58(token.mint)
    keep(`snapshot ${mint}`, query.snapshot(mint, SNAPSHOT_GROUPS))
    keep(`trades ${mint}`, query.trades(mint))
    keep(`check ${mint}`, query.check(mint))
    keep(`verdict ${mint}`, { bytes: Buffer.from(JSON.stringify(token.verdict)) })
    keep(`who ${mint}`, { bytes: Buffer.from(JSON.stringify(renderWho(views.byId(id)))) })
    keep(`actors ${mint}`, { bytes: Buffer.from(JSON.stringify(actorsOf(views.byId(id), folder.store))) })
    if (token.deployer < 0) continue
    const deployer = keyToBase58(folder.store.wallet(token.deployer)!.address)
    keep(`trader ${deployer}`, query.trader(deployer))
    const launches = query.deployer(deployer, 50, 0)
    keep(
      `deployer ${deployer}`,
      launches === null ? null : { bytes: Buffer.concat([launches.data.bytes, launches.summary]) },
    )
  }
  return answers
}

/** Names of requests whose bytes differ. */
export function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  const names = new Set([...a.keys(), ...b.keys()])
  return [...names].filter((name) => a.get(name) !== b.get(name))
}

/** Places right behind a block, `count` of them, drawn without repetition and ascending. */
export function drawCuts(entries: readonly Buffer[], count: number, random: () => number): number[] {
  const blocks = entries.flatMap((bytes, i) => (readHead(i, bytes).kind === 'block' ? [i + 1] : []))
  const cuts = new Set<number>()
  while (cuts.size < Math.min(count, blocks.length)) cuts.add(blocks[Math.floor(random() * blocks.length)]!)
  return [...cuts].sort((a, b) => a - b)
}

/** Up to `count` of the tokens known so far, the newest and some older ones. */
export function drawTokens(known: number, count: number, random: () => number): number[] {
  const tokens = new Set<number>()
  for (let id = Math.max(0, known - count / 2); id < known; id++) tokens.add(id)
  for (let tries = 0; tries < count && tokens.size < Math.min(count, known); tries++)
    tokens.add(Math.floor(random() * known))
  return [...tokens].map(Math.floor).sort((a, b) => a - b)
}
