import assert from 'node:assert/strict'

/**
 * The judge of an answer to a question. An answer is a list of claims; whatever a claim says beyond fixed words is read from an answer of a
 * tool by its path, and the fixed words hold no number, no address and no judgement. Arguments come from the question or from an
 * earlier answer, so that a plan knows nothing that a model would not.
 */

/** bytes a token: fewer than any tokenizer we tried makes of base58 */
const BYTES_A_TOKEN = 1.5

export interface Called {
  readonly tool: string
  readonly tokens: number
  readonly dollars: number
}

export interface Reply {
  readonly text: string
  readonly isError: boolean
  /** what the field holds; a path that no field has fails */
  read(path: string): unknown
}

/** A claim as a person reads it. */
export type Claim = string

export interface Examined {
  readonly calls: readonly Called[]
  ask(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Reply>
}

export type Send = (tool: string, args: object) => Promise<{ readonly text: string; readonly isError: boolean }>

/** What a wording must not say by itself: numbers, addresses, colours, and that something is safe or bad. */
const FORBIDDEN =
  /\d|[1-9A-HJ-NP-Za-km-z]{32,}|\b(?:red|yellow|green|neutral|safe|clean|fine|scam|will|guarantee\w*)\b/i

const ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|act_\w+)$/

function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const part of path.split('.')) {
    assert.ok(typeof found === 'object' && found !== null && part in found, `no field ${path}`)
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

const shown = (value: unknown): string =>
  value === null ? 'unknown' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The value of a field of an answer, and nothing else: only these go into a claim. */
class Carried {
  constructor(readonly text: string) {}
}

export const carried = (reply: Reply, path: string): Carried => new Carried(shown(reply.read(path)))

export function claim(words: TemplateStringsArray, ...fields: readonly Carried[]): Claim {
  for (const one of words) assert.doesNotMatch(one, FORBIDDEN, 'a claim that no answer carries')
  for (const field of fields) assert.ok(field instanceof Carried)
  return words.reduce((text, word, n) => text + fields[n - 1]!.text + word)
}

/** `given`: the addresses of the question. `priceOf`: dollars of a call, by the offer of the tool. */
export function examine(
  send: Send,
  given: readonly string[],
  priceOf: (tool: string, args: object) => number,
): Examined {
  const calls: Called[] = []
  let known = given.join(' ')
  return {
    calls,
    async ask(tool, args = {}) {
      for (const value of Object.values(args).flat())
        if (typeof value === 'string' && ADDRESS.test(value)) assert.ok(known.includes(value), `nobody told ${value}`)
      const { text, isError } = await send(tool, args)
      known += text
      calls.push({
        tool,
        tokens: Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN),
        dollars: isError ? 0 : priceOf(tool, args),
      })
      const value = JSON.parse(text)
      return { text, isError, read: (path) => valueAt(value, path) }
    },
  }
}
