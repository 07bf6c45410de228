import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../config/limits.ts'
import { callNotes, graduationNotes } from './real-calls.ts'
import { fundingNotes } from './real-funding.ts'
import { outcomeNotes } from './real-outcomes.ts'
import type { RealNote } from './sample.ts'

/** Real material lies beside the project, not in it: most of it must not be copied. */
export const REAL_DATA = '../../shared/data'

const FUNDING = ['Calm', 'G_GOAT', 'G_WOLF', 'G_vvaifu']

/**
 * What real labels say, as aggregates. None of the sets has trades and outcomes of the same tokens at their launch, so the
 * score itself cannot be judged on them; its baselines and two of its assumptions can. Empty where the material is absent.
 */
export function realNotes(dir: string = REAL_DATA, seed = 1): RealNote[] {
  const file = (name: string): string | null => text(join(dir, 'labels', name))
  const funding = FUNDING.map((name) => file(`e2_funding_${name}.json`)).filter((content) => content !== null)
  return [
    note('Who funded the first buyers', funding, (contents) => fundingNotes(contents.map(parse))),
    note('Baselines against real outcomes after graduation', [file('dataset_socle_bundler_labels.json')], ([content]) =>
      outcomeNotes(parse(content!), seed),
    ),
    note('Tokens called by a channel', [file('calls_outcomes.jsonl')], ([content]) =>
      callNotes(content!.split('\n').filter(Boolean).map(parse), seed),
    ),
    note('How fast graduates graduate', [file('coins-graduated.json')], ([content]) =>
      graduationNotes(parse(content!)),
    ),
  ].filter((one) => one !== null)
}

const parse = (content: string): unknown => JSON.parse(content)

/** Null when the file is absent or larger than anything expected. */
function text(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  return size === undefined || size > LIMITS.evaluateFileBytesMax ? null : readFileSync(path, 'utf8')
}

/** A set that cannot be read is said to be so; it does not end the report. */
function note(
  title: string,
  contents: readonly (string | null)[],
  read: (contents: readonly string[]) => string[],
): RealNote | null {
  const present = contents.filter((content) => content !== null)
  if (present.length === 0) return null
  try {
    return { title, lines: read(present) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { title, lines: ['The file is there but is not JSON; nothing can be said.'] }
  }
}
