import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { KolFact } from '@ti/core/model/facts.ts'
import type { Logger } from '../../base/log.ts'
import type { Surroundings } from '../clock.ts'
import { createRepeated } from '../repeated.ts'
import type { MissingFacts, Observer, Report } from '../types.ts'
import { isUrl, type ListReader, type WalletList } from './wallet-list.ts'

/** milliseconds between two looks at a file and at a URL, and facts reported at once, so that a long list is folded in pieces */
export const FILE_LOOK_MS = 5_000
export const URL_LOOK_MS = 300_000
export const FACTS_AT_ONCE = 500

interface WatchedListOptions {
  /** the list's name in messages and status */
  readonly name: string
  /** file or URL: not shown when a URL, it may carry a key */
  readonly place: string
  readonly read: ListReader
  readonly onList: (list: WalletList) => void
  readonly logger: Logger
  readonly around: Surroundings
}

/** Reads a list at intervals. A broken list changes nothing and is logged once. */
export function createWatchedList({ name, place, read, onList, logger, around }: WatchedListOptions): Observer {
  const counts = createCounts()
  const shown = isUrl(place) ? new URL(place).host : place
  let said = ''

  async function look(signal: AbortSignal): Promise<void> {
    const found = await read(signal)
    if (signal.aborted) return
    count(counts, found.state)
    if (found.state === 'broken' && found.why !== said) {
      logger.warn({ list: name, place: shown, why: found.why }, 'a list cannot be read; the last good one stays in use')
    }
    if (found.state !== 'broken' && said !== '') logger.info({ list: name, place: shown }, 'the list can be read again')
    said = found.state === 'broken' ? found.why : ''
    if (found.state !== 'new') return
    logger.info({ list: name, wallets: found.list.size }, 'a list was read')
    onList(found.list)
  }
  const everyMs = isUrl(place) ? URL_LOOK_MS : FILE_LOOK_MS
  return createRepeated({ name, counts, everyMs, run: look, logger, around })
}

interface KolsOptions extends Omit<WatchedListOptions, 'name' | 'onList'> {
  readonly missing: MissingFacts
  readonly report: Report
}

/** Reports influencers that the operator added to the list, renamed or removed. */
export function createKolsObserver({ missing, report, ...options }: KolsOptions): Observer {
  let known: Map<Key, string> | null = null
  return createWatchedList({
    ...options,
    name: 'kols',
    onList(list) {
      known ??= new Map(Array.from(missing.kols?.() ?? [], ({ wallet, name }) => [wallet, name]))
      const facts = changes(known, list)
      known = new Map(list)
      for (let at = 0; at < facts.length; at += FACTS_AT_ONCE) {
        report(facts.slice(at, at + FACTS_AT_ONCE), options.around.clock.seconds())
      }
    },
  })
}

/** Removals come first, because a name may have moved to another wallet. */
function changes(known: WalletList, list: WalletList): KolFact[] {
  const gone = [...known.keys()].filter((wallet) => !list.has(wallet))
  const fresh = [...list].filter(([wallet, name]) => known.get(wallet) !== name)
  return [
    ...gone.map((wallet): KolFact => ({ kind: 'kol', wallet, name: null })),
    ...fresh.map(([wallet, name]): KolFact => ({ kind: 'kol', wallet, name })),
  ]
}
