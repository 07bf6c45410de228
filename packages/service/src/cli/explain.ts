import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { isoMicros } from '@ti/core/base/time.ts'
import type { Explanation } from '@ti/core/contract/explain.ts'
import type { Who } from '@ti/core/contract/who.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createPeople } from '@ti/core/query/people/people.ts'
import { createViews, type HistoryReader } from '@ti/core/query/view.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openStoreToRead } from '../store/open.ts'
import type { Run } from './definition.ts'
import { explanationText } from './explain-text.ts'
import { foldUntil } from './fold-until.ts'
import { wrongUsage } from './parse.ts'
import { painter } from './terminal-text.ts'

type State = Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
type Read = <Answer>(what: 'who' | 'explain') => Answer

export const explainCommand: Run = async (given, io) => {
  const [text = ''] = given.operands
  const file = given.text('file')
  const mint = keyFromBase58(text)
  if (mint === null) throw wrongUsage(`${text} is no mint: base58 of 32 bytes`)
  const show = (state: State, store: HistoryReader): void => {
    const read = readerOf(mint, state, store)
    const explanation = read<Explanation>('explain')
    io.result(
      given.has('json')
        ? `${JSON.stringify(explanation, null, 2)}\n`
        : explanationText(explanation, read<Who>('who'), painter(io.colours)),
    )
  }
  const untilSlot = given.whole('until-slot')
  if (file !== undefined) return foldUntil(file, untilSlot, io, ({ engine, store }) => show(engine, store))
  if (untilSlot !== undefined) throw wrongUsage('--until-slot needs --file')
  await fromStore(given.text('data-dir') ?? readOptions(environment()).dataDir, show)
}

/** Answers as the service renders them, of committed state. */
function readerOf(mint: Key, state: State, store: HistoryReader): Read {
  const { globals } = state
  const people = createPeople({
    ...{ views: createViews(state, store, 1), store, globals, bounds: QUERY_BOUNDS },
    spend() {},
    cached: (_, render) => ({
      bytes: Buffer.from(JSON.stringify(render())),
      renderedAt: isoMicros(globals.time),
      slot: globals.slot,
    }),
  })
  return (what) => {
    const answer = people[what](keyToBase58(mint))
    if (answer === null) throw new OperatorError(`${keyToBase58(mint)} is not tracked here`)
    return JSON.parse(answer.bytes.toString())
  }
}

/** Reads committed state, without the engine and its lock. */
async function fromStore(dir: string, use: (state: State, store: HistoryReader) => void): Promise<void> {
  const store = openStoreToRead(dir)
  try {
    const globals = store.globals()
    if (globals === null) throw new OperatorError(`${dir} is empty: nothing has been folded yet`)
    const tokens = {
      live: () => [].values(),
      peek: () => undefined,
      peekId: () => undefined,
      idByPool: () => undefined,
    }
    use({ globals, tokens, wallet: (id) => store.wallet(id)!, wallets: store.wallets }, store)
  } finally {
    await store.close()
  }
}
