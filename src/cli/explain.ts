import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { Key } from '../base/ids.ts'
import { LIMITS } from '../config/limits.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { explain } from '../query/explain.ts'
import { explanationText } from '../query/explain-text.ts'
import { createViews, type TokenView } from '../query/view.ts'
import { openStoreToRead } from '../store/open.ts'
import { type Command, parse, wholeNumber } from './command.ts'
import { foldUntil } from './fold-until.ts'

const usage = `explain MINT [--data-dir DIR | --file CAPTURE [--until-slot S]] [--json]
  says what a token's score is made of, which wallets and groups are behind each share, and what ties a bundle.
  Reads a data directory (./data), also while the service runs, or folds a capture up to a slot.`

export const explainCommand: Command = {
  usage,
  async run(args) {
    const options = {
      'data-dir': { type: 'string' },
      file: { type: 'string' },
      'until-slot': { type: 'string' },
      json: { type: 'boolean' },
    } as const
    const { values, positionals } = parse(usage, args, options, { min: 1, max: 1 })
    const show = (view: TokenView): void => {
      const explanation = explain(view, LIMITS.explainedHolders)
      process.stdout.write(
        values.json === true ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation),
      )
    }
    const mint = keyFromBase58(positionals[0]!)
    if (mint === null)
      throw new OperatorError(`${positionals[0]} is no mint: base58 of 32 bytes`, { exitCode: EXIT.usage })
    if (values.file !== undefined) {
      const untilSlot = wholeNumber('until-slot', values['until-slot'])
      await foldUntil(values.file, untilSlot, ({ engine, store }) =>
        show(find(mint, createViews(engine, store, 1).find)),
      )
      return
    }
    if (values['until-slot'] !== undefined) {
      throw new OperatorError(`--until-slot needs --file\n\n${usage}`, { exitCode: EXIT.usage })
    }
    await fromStore(values['data-dir'] ?? process.env.DATA_DIR ?? './data', (views) => show(find(mint, views)))
  },
}

type Find = ReturnType<typeof createViews>['find']

function find(mint: Key, views: Find): TokenView {
  const view = views(mint)
  if (view === null) throw new OperatorError(`${keyToBase58(mint)} is not tracked here`)
  return view
}

/** What is committed, without the engine and without its lock. */
async function fromStore(dir: string, use: (find: Find) => void): Promise<void> {
  const store = openStoreToRead(dir, { formulasVersion: FORMULAS_VERSION })
  try {
    const globals = store.globals()
    if (globals === null) throw new OperatorError(`${dir} is empty: nothing has been folded yet`)
    const tokens = {
      live: () => [].values(),
      peek: () => undefined,
      peekId: () => undefined,
      idByPool: () => undefined,
    }
    use(createViews({ globals, tokens, wallet: (id) => store.wallet(id)!, wallets: store.wallets }, store, 1).find)
  } finally {
    await store.close()
  }
}
