/**
 * The words of a worked example, one line an action:
 *
 *     0 Dev launches [with image PICTURE]
 *     0 Dev buys 2 SOL
 *     1 A B C buy 1.5 SOL [tip by A] [paid by A]
 *     20 R1..R40 every 5 buy 0.4 SOL
 *     900 A sells 50%
 *     905 B gives 100% to C
 *     0 A B C funded by F
 *     900 look
 *
 * Slots count from the launch. Wallets of one line act in one slot, in this order, each in a transaction of its own; with
 * `every N` each acts N slots after the one before. `look` prints the verdict as of its slot.
 */
export interface Line {
  readonly slot: number
  readonly who: readonly string[]
  readonly verb: 'launch' | 'buy' | 'sell' | 'give' | 'funded' | 'look'
  /** SOL of a buy; share of what is held of a sale or gift, 0 to 1 */
  readonly amount: number
  readonly to: string | null
  readonly paid: string | null
  readonly tip: string | null
  readonly image: string | null
  /** another token than the example's; null: its own */
  readonly mint: string | null
}

const VERBS: Readonly<Record<string, Line['verb']>> = {
  ...{ launches: 'launch', buy: 'buy', buys: 'buy', sell: 'sell', sells: 'sell', give: 'give', gives: 'give' },
  ...{ funded: 'funded', look: 'look' },
}

const RULE: Readonly<Record<Line['verb'], RegExp>> = {
  launch: /^(?: with image (?<image>\S+))?$/,
  buy: /^ (?<amount>[\d.]+) SOL(?: paid by (?<paid>\S+))?(?: tip by (?<tip>\S+))?$/,
  sell: /^ (?<amount>[\d.]+)%$/,
  give: /^ (?<amount>[\d.]+)% to (?<to>\S+)$/,
  funded: /^ by (?<to>\S+)$/,
  look: /^$/,
}

/** @throws an Error that quotes the line which is not understood */
export const readScript = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap(readLine)
    .sort((a, b) => a.slot - b.slot)

function readLine(text: string): Line[] {
  const head = /^(?<slot>\d+) (?<who>.*?)(?: every (?<every>\d+))? ?\b(?<verb>\w+)(?<rest>(?: (?:with |by |[\d.]+[ %]).*)?)$/
  const { slot = '', who = '', every, verb = '', rest = '' } = head.exec(text.trim())?.groups ?? {}
  const known = VERBS[verb]
  const found = known === undefined ? null : RULE[known].exec(rest)
  if (known === undefined || found === null) throw new Error(`this line of an example is not understood: ${text}`)
  const { amount = '0', to = null, paid = null, tip = null, image = null } = found.groups ?? {}
  const number = Number(amount) / (known === 'buy' ? 1 : 100)
  const line = { verb: known, amount: number, to, paid, tip, image, mint: null }
  const names = who === '' ? [] : who.split(' ').flatMap(namesIn)
  const first = Number(slot)
  if (every === undefined) return [{ ...line, slot: first, who: names }]
  return names.map((name, n) => ({ ...line, slot: first + n * Number(every), who: [name] }))
}

/** R1..R3 is R1 R2 R3. */
function namesIn(text: string): string[] {
  const range = /^([A-Za-z]+)(\d+)\.\.\1(\d+)$/.exec(text)
  if (range === null) return [text]
  const [, name, from, to] = range
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${name}${Number(from) + n}`)
}
