import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { AGES } from './questions.ts'
import { callNotes, graduationNotes } from './real-calls.ts'
import { fundingNotes } from './real-funding.ts'
import { creatorNotes, csv, mintNotes, sliceNotes, tokenNotes } from './real-launches.ts'
import { outcomeNotes } from './real-outcomes.ts'
import { row, string } from './records.ts'
import type { RealNote } from './sample.ts'

/** bytes of one file of outside material that `evaluate` reads: the largest known is 2 MB */
const EVALUATE_FILE_BYTES_MAX = 64 << 20

/** Real material lies beside the project, not in it: most of it must not be copied. */
export const REAL_DATA = '../../shared/data'

const FUNDING = ['Calm', 'G_GOAT', 'G_WOLF', 'G_vvaifu']

/**
 * Aggregates of real data. No set has enough trades and outcomes of the same tokens, so neither score nor outlook can
 * be evaluated on them; baselines and some assumptions can. Empty if the data are absent.
 */
export function realNotes(dir: string = REAL_DATA, seed = 1): RealNote[] {
  const label = (name: string): string | null => text(join(dir, 'labels', name))
  const corpus = (name: string): string | null => text(join(dir, 'real2', 'corpora', `${name}.gz`))
  const funding = FUNDING.map((name) => label(`e2_funding_${name}.json`)).filter((content) => content !== null)
  const mints = corpus('pumpportal_mints.csv')
  return [
    note('Real launches, by what is known at entry', [mints], ([content]) => mintNotes(csv(content!), seed)),
    note('Creators that sell', [corpus('creator_sells.csv')], ([content]) =>
      creatorNotes(csv(content!), csv(mints ?? '')),
    ),
    note('Three real tokens, one of them a rug', [text(join(dir, 'trades', 'pumpfun_trades.csv'))], ([content]) =>
      tokenNotes(csv(content!), AGES),
    ),
    note('A whole market for 76 seconds', [corpus('nullfuturist_swaps.csv')], ([content]) => sliceNotes(csv(content!))),
    note('Who funded the first buyers', funding, (contents) => fundingNotes(contents.map(parse))),
    note('Who funded the first buyers, more tokens', [corpus('trace_funding.jsonl')], ([content]) =>
      fundingNotes(oncePerMint(content!.split('\n').filter(Boolean).map(parse))),
    ),
    note(
      'Baselines against real outcomes after graduation',
      [label('dataset_socle_bundler_labels.json')],
      ([content]) => outcomeNotes(parse(content!), seed),
    ),
    note('Tokens called by a channel', [label('calls_outcomes.jsonl')], ([content]) =>
      callNotes(content!.split('\n').filter(Boolean).map(parse), seed),
    ),
    note('How fast graduates graduate', [label('coins-graduated.json')], ([content]) =>
      graduationNotes(parse(content!)),
    ),
  ].filter((one) => one !== null)
}

/** A token may have been measured several times; the last one counts. */
const oncePerMint = (files: readonly unknown[]): unknown[] => [
  ...new Map(files.map((file) => [string(row(file), 'mint'), file])).values(),
]

const parse = (content: string): unknown => JSON.parse(content)

/** Null if the file is absent or larger than expected. */
function text(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined || size > EVALUATE_FILE_BYTES_MAX) return null
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: EVALUATE_FILE_BYTES_MAX }) : bytes).toString()
}

/** An unreadable set is reported and does not end the report. */
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
