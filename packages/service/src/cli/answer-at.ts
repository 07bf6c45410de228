import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { LIST_NAMES, type ListName } from '@ti/core/query/query.ts'
import { OperatorError } from '../base/errors.ts'
import type { Node } from '../service/node.ts'
import { foldUntil } from './fold-until.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'

type Asked = 'snapshot' | 'trades' | 'list'

/** Prints an answer of the service as of slot `until` of a capture: a token's snapshot or trades, or a list. */
export async function answerAt(file: string, until: number | undefined, io: Io, asked: Asked, what: string) {
  if (asked === 'list' && !LIST_NAMES.includes(what as ListName)) {
    throw wrongUsage(`there is no list ${what}: one of ${LIST_NAMES.join(', ')}`)
  }
  await foldUntil(file, until, io, (node) => io.result(`${answerOf(node, asked, what)}\n`))
}

/** The same bytes as the service's `data`. */
function answerOf({ engine, store }: Node, asked: Asked, what: string): string {
  const query = createQuery({ engine, store })
  const answer =
    asked === 'snapshot'
      ? query.snapshot(what, SNAPSHOT_GROUPS)
      : asked === 'trades'
        ? query.trades(what)
        : query.list(what as ListName)
  if (answer === null) throw new OperatorError(`${what} was not tracked at slot ${engine.globals.slot}`)
  return answer.bytes.toString()
}
