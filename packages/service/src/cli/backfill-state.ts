import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sigFromBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { SignatureEntry } from '../source/rpc/fetcher.ts'
import { SIGNATURES_PAGE } from '../source/rpc/fetcher.ts'

/** signatures of one address, some 120 bytes each; older ones are left out */
export const SIGNATURES = 500_000

/** The progress of a backfill, in a folder beside its output that is removed at the end. */
export interface BackfillState {
  /** The question as text; a different question cannot continue this state. */
  readonly what: string
  /** True once the list of signatures is complete. */
  listed: boolean
  /** Requests over all runs. */
  requests: number
  /** Items left out, by reason. */
  skipped: Record<string, number>
}

const FORMAT = 1

/** The previous run's state, or a new one. Throws OperatorError if it has another question or cannot be read. */
export function openState(dir: string, what: string): BackfillState {
  const path = join(dir, 'state.json')
  if (!existsSync(path)) return { what, listed: false, requests: 0, skipped: {} }
  const { format, ...state } = parse(path)
  if (format !== FORMAT) throw refuse(path, 'it is of another version')
  if (state.what !== what) throw refuse(path, `it is about ${JSON.stringify(state.what)}, not ${JSON.stringify(what)}`)
  return state
}

function parse(path: string): BackfillState & { readonly format: number } {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw refuse(path, 'it cannot be read')
  }
}

const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(`${path}: ${why}. Choose another output, or delete its folder and the .partial file`, {
    exitCode: EXIT.badFile,
  })

/** Atomic. */
export function saveState(dir: string, state: BackfillState): void {
  const path = join(dir, 'state.json')
  writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, ...state }))
  renameSync(`${path}.new`, path)
}

/**
 * The list of signatures of an address, newest first; a torn last line is truncated. `add` skips known ones and returns
 * the number of new ones.
 */
export function openSignatures(dir: string): {
  readonly list: SignatureEntry[]
  add(page: readonly SignatureEntry[]): number
} {
  const path = join(dir, 'signatures.txt')
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) truncateSync(path, end)
  const lines = bytes.toString('latin1', 0, end).split('\n').slice(0, -1)
  if (lines.length > SIGNATURES + SIGNATURES_PAGE) throw refuse(path, 'it is too long')
  const list = lines.map((line) => {
    const [slot, text, failed] = line.split(' ')
    const signature = sigFromBase58(text ?? '')
    if (signature === null || !/^\d{1,15}$/.test(slot ?? '')) throw refuse(path, 'it cannot be read')
    return { slot: Number(slot), signature, failed: failed === '1' }
  })
  const known = new Set(list.map(({ signature }) => signature))
  return {
    list,
    add(all) {
      const page = all.filter(({ signature }) => !known.has(signature))
      for (const { signature } of page) known.add(signature)
      const text = page.map(({ slot, signature, failed }) => `${slot} ${sigToBase58(signature)} ${failed ? 1 : 0}\n`)
      appendFileSync(path, text.join(''))
      list.push(...page)
      return page.length
    },
  }
}

export const removeState = (dir: string): void => rmSync(dir, { recursive: true, force: true })
