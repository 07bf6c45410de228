import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { type ActorReader, actor, actorsOf } from '@ti/core/query/actors.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { explain } from '@ti/core/query/explain.ts'
import { explanationText } from '@ti/core/query/explain-text.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openStoreToRead } from '../store/open.ts'
import type { Run } from './definition.ts'
import { foldUntil } from './fold-until.ts'
import { wrongUsage } from './parse.ts'

export const explainCommand: Run = async (given, io) => {
  const [text = ''] = given.operands
  const file = given.text('file')
  const show = (view: TokenView, store: ActorReader): void => {
    const explanation = explain(view, QUERY_BOUNDS.explainedHolders)
    const actors = actorsOf(view, store)
    const text = given.has('json')
      ? `${JSON.stringify({ ...explanation, actors: actors.map((one) => ({ ...one, ...actor(store, one.no) })) }, null, 2)}\n`
      : explanationText(explanation, actors)
    io.result(text)
  }
  const mint = keyFromBase58(text)
  if (mint === null) throw wrongUsage(`${text} is no mint: base58 of 32 bytes`)
  const untilSlot = given.whole('until-slot')
  if (file !== undefined) {
    await foldUntil(file, untilSlot, io, ({ engine, store }) =>
      show(find(mint, createViews(engine, store, 1).find), store),
    )
    return
  }
  if (untilSlot !== undefined) throw wrongUsage('--until-slot needs --file')
  await fromStore(given.text('data-dir') ?? readOptions(environment()).dataDir, (views, store) =>
    show(find(mint, views), store),
  )
}

type Find = ReturnType<typeof createViews>['find']

function find(mint: Key, views: Find): TokenView {
  const view = views(mint)
  if (view === null) throw new OperatorError(`${keyToBase58(mint)} is not tracked here`)
  return view
}

/** Reads committed state, without the engine and its lock. */
async function fromStore(dir: string, use: (find: Find, store: ActorReader) => void): Promise<void> {
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
    use(
      createViews({ globals, tokens, wallet: (id) => store.wallet(id)!, wallets: store.wallets }, store, 1).find,
      store,
    )
  } finally {
    await store.close()
  }
}
