import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '@ti/service/base/errors.ts'
import { type Node, openNode } from '@ti/service/service/node.ts'
import { DamagedState } from '@ti/service/store/damage.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket } from '../soak/market.ts'
import type { Random } from './bytes.ts'
import { digestOf, questionsOf } from './questions.ts'
import { ENTRIES, type Expectations, type Expected, MARKET } from './templates.ts'

/**
 * `harmless`: equal at once; `healed`: it folded again, or on, by itself, then equal; `refused`: with a sentence, and equal once
 * what it names was put back; `wrong`: another answer than the undamaged twin's; `crash`: anything else
 */
export type Outcome = 'harmless' | 'healed' | 'refused' | 'wrong' | 'crash'

export interface Verdict {
  readonly outcome: Outcome
  /** what it said, or what went wrong */
  readonly what: string
}

export interface ProbeParts {
  readonly dir: string
  /** the undamaged directory it is a copy of */
  readonly template: string
  readonly expected: Expectations
  readonly random: Random
  /** done to the files below the open node */
  readonly meddle?: (() => void) | undefined
}

class WrongAnswer extends Error {}

/** openings that a damage may need: one finds it while it reads, the next sets it aside */
const OPENINGS = 4

/** Opens the directory as the service does, as often as the service would, and compares it with the twin. */
export async function probe(parts: ProbeParts): Promise<Verdict> {
  const { dir, template } = parts
  const said: string[] = []
  let outcome: Outcome = 'harmless'
  let meddle = parts.meddle
  for (let opening = 0; opening < OPENINGS; opening++) {
    const before = meddle === undefined && opening === 0 ? filesOf(join(dir, 'log')) : null
    const seen = { opened: false }
    try {
      await session({ ...parts, meddle }, seen, (why) => {
        said.push(why)
        if (outcome === 'harmless') outcome = 'healed'
      })
      // what was changed below an open node is seen by the next one
      if (meddle === undefined || opening > 0) return { outcome, what: said.join(' | ') }
      meddle = undefined
    } catch (error) {
      meddle = undefined
      if (error instanceof WrongAnswer) return { outcome: 'wrong', what: [...said, error.message].join(' | ') }
      if (error instanceof DamagedState) {
        outcome = outcome === 'refused' ? outcome : 'healed'
        said.push(`found: ${error.message}`)
      } else if (error instanceof OperatorError) {
        const fault = sentenceFault(error.message, dir) ?? (seen.opened ? null : changeOf(before, join(dir, 'log')))
        if (fault !== null) return { outcome: 'crash', what: `${fault}: ${error.message}` }
        outcome = 'refused'
        said.push(`refused: ${error.message}`)
        putBack(dir, template)
      } else return { outcome: 'crash', what: [...said, (error as Error).stack ?? String(error)].join(' | ') }
    }
  }
  return { outcome: 'crash', what: `not healed by ${OPENINGS} openings: ${said.join(' | ')}` }
}

async function session(parts: ProbeParts, seen: { opened: boolean }, onHealing: (why: string) => void): Promise<void> {
  const { dir, expected, random, meddle } = parts
  const market = createMarket(MARKET.seed, MARKET.pattern)
  const folding = { told: false }
  const node = await openNode(dir, {
    onRepair: (why) => onHealing(`repaired: ${why}`),
    onPreparation() {
      if (!folding.told) onHealing('folded')
      folding.told = true
    },
  })
  seen.opened = true
  try {
    const compare = (end: number, at: Expected): void => {
      const questions = shuffled(questionsOf(node, market, expected.cast, end), random)
      for (const [i, { name, ask }] of questions.entries()) {
        if (i === 10 && end === ENTRIES.whole) meddle?.()
        const text = ask()
        if (digestOf(text) !== at.answers[name]) throw new WrongAnswer(`${name}: ${text.slice(0, 300)}`)
      }
      if (node.store.stateHash() !== at.hash) throw new WrongAnswer(`the state hash at ${end}`)
    }
    const newest = node.store.log.newest()
    // a process that saw its disk fail, or an opening before, may have gone on
    if (newest < ENTRIES.whole) compare(ENTRIES.whole, expected.whole)
    await feed(node, market)
    compare(ENTRIES.grown, expected.grown)
  } finally {
    await node.close()
  }
}

const feed = (node: Node, market: ReturnType<typeof createMarket>): Promise<void> =>
  feedMarket(node, market, { end: ENTRIES.grown })

function shuffled<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}

const ADVICE =
  /put .* back|move DATA_DIR|make room|check (the|its)|right to write|free some space|restore the newest|verify --repair|start again|chown/i

function sentenceFault(message: string, dir: string): string | null {
  if (!message.includes(dir)) return 'the sentence names no file'
  return ADVICE.test(message) ? null : 'the sentence does not say what to do'
}

/** Digest by path. */
function filesOf(dir: string): Map<string, string> {
  const files = new Map<string, string>()
  if (!existsSync(dir)) return files
  for (const name of readdirSync(dir)) {
    try {
      files.set(
        name,
        createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex'),
      )
    } catch {
      files.set(name, 'may not be read')
    }
  }
  return files
}

function changeOf(before: Map<string, string> | null, dir: string): string | null {
  if (before === null) return null
  const now = filesOf(dir)
  for (const [name, digest] of before)
    if (now.get(name) !== digest) return `${name} was changed although it was refused`
  for (const name of now.keys()) if (!before.has(name)) return `${name} was made although it was refused`
  return null
}

/** What the sentences ask for: rights, and the files of a copy. */
function putBack(dir: string, template: string): void {
  for (const path of ['', 'state', 'log']) if (existsSync(join(dir, path))) chmodSync(join(dir, path), 0o755)
  for (const path of ['state', 'log']) {
    rmSync(join(dir, path), { recursive: true, force: true })
    cpSync(join(template, path), join(dir, path), { recursive: true })
    for (const name of readdirSync(join(dir, path))) {
      const file = join(dir, path, name)
      if (statSync(file).isFile()) chmodSync(file, 0o644)
    }
  }
}
