import type { Filter, Values } from '@ti/core/contract/filter.ts'
import type { Frame, TokenEvent, Topic, VerdictChanged } from '@ti/core/contract/streams.ts'
import type { StreamMessage } from '@ti/core/query/streams.ts'

/** Values parsed once per message, shared by all filters while the message is in memory. */
const read = new WeakMap<StreamMessage, readonly Values[]>()

/** The messages that match a filter. */
export const wanted = (topic: Topic, messages: readonly StreamMessage[], { test }: Filter): readonly StreamMessage[] =>
  messages.filter((message) => valuesOf(topic, message).some(test))

function valuesOf(topic: Topic, message: StreamMessage): readonly Values[] {
  const known = read.get(message)
  if (known !== undefined) return known
  const values = VALUES[topic](message)
  read.set(message, values)
  return values
}

/** One set of values per trade. */
function ofFrame({ payload, launchpad = null }: StreamMessage): readonly Values[] {
  const { mint, trades } = (JSON.parse(payload) as Frame).data
  return trades.map(({ user_address: wallet, sol_amount, mcap, is_buy: buy, bundled, smart_money }) => ({
    mint,
    wallet,
    launchpad,
    sol_amount,
    mcap,
    buy,
    bundled,
    smart_money,
  }))
}

function ofTokenEvent({ payload, launchpad = null }: StreamMessage): readonly Values[] {
  const { type, data } = JSON.parse(payload) as TokenEvent
  const { mint, symbol, name } = data
  return [{ mint, symbol, name, launchpad, type, mcap: 'mcap' in data ? data.mcap : null }]
}

function ofVerdict({ payload, launchpad = null }: StreamMessage): readonly Values[] {
  const { mint, before, colour, code } = (JSON.parse(payload) as VerdictChanged).data
  return [{ mint, launchpad, before, colour, code }]
}

const VALUES: Readonly<Record<Topic, (message: StreamMessage) => readonly Values[]>> = {
  'frames:live': ofFrame,
  'tokens:live': ofTokenEvent,
  'verdicts:live': ofVerdict,
}
