import { type Refusal, refusalInWords } from '../../api/refusal.ts'
import { shortAddress } from '../../ui/format.ts'
import { hasTrades, type NewWatch, type Watch, type WatchChange, type WatchKind, watchName } from '../../watch/watch.ts'
import { solText } from './account.ts'

/** Form state of a watch. */
export interface Draft {
  readonly kind: WatchKind
  readonly target: string
  readonly name: string
  readonly minSol: string
}

export const EMPTY: Draft = { kind: 'condition', target: '', name: '', minSol: '' }

/** A problem and its field; null: the form as a whole. */
export interface Problem {
  readonly field: 'target' | 'name' | 'min_sol' | null
  readonly text: string
  /** index of the wrong character of the target; null: unknown */
  readonly at: number | null
}

/** the service's own limit */
export const MOST_SOL = 1_000_000

/** Default name of a watch. */
export const nameFor = (kind: WatchKind, target: string): string =>
  kind === 'condition' ? watchName(target, '') : shortAddress(target)

/** Checks a draft; returns the request or the problem to correct. */
export function read(draft: Draft): { readonly asked: NewWatch } | { readonly problem: Problem } {
  const target = draft.target.trim()
  if (target === '') {
    const text = draft.kind === 'condition' ? 'Write a condition first.' : 'Which address?'
    return { problem: { field: 'target', text, at: null } }
  }
  const typed = !hasTrades(draft.kind) ? '' : draft.minSol.trim().replace(',', '.')
  const min_sol = Number(typed)
  if (!/^\d*\.?\d*$/.test(typed) || !(min_sol <= MOST_SOL)) {
    return { problem: { field: 'min_sol', text: 'An amount of SOL, for example 0.5.', at: null } }
  }
  const name = watchName(draft.name, nameFor(draft.kind, target))
  return { asked: { kind: draft.kind, target, name, ...(min_sol > 0 && { min_sol }) } }
}

/** A default name is left empty in the form, so that it follows the filter. */
export const draftOf = ({ kind, target, name, min_sol: least }: Watch): Draft => ({
  ...{ kind, target, name: name === nameFor(kind, target) ? '' : name },
  minSol: least === 0 ? '' : solText(Math.round(least * 1e9)),
})

/** Returns the changes of a draft; null: none. */
export function changeOf(watch: Watch, { name, target, min_sol = 0 }: NewWatch): WatchChange | null {
  const change: WatchChange = {
    ...(name !== watch.name && { name }),
    ...(target !== watch.target && { target }),
    ...(min_sol !== watch.min_sol && { min_sol }),
  }
  return Object.keys(change).length === 0 ? null : change
}

/** Maps a refusal to its field. The service counts characters of the trimmed target. */
export function problemOf(refusal: Refusal, { target }: Draft): Problem {
  const text = refusalInWords(refusal)
  const found = refusal.status === 400 ? /^(target|name|min_sol): (.+)$/is.exec(text) : null
  if (found === null) return { field: null, text, at: null }
  const said = found[2]!
  const at = /at character (\d+)/.exec(said)
  return {
    field: found[1]!.toLowerCase() as 'target' | 'name' | 'min_sol',
    text: said.charAt(0).toUpperCase() + said.slice(1),
    at: at === null ? null : target.length - target.trimStart().length + Number(at[1]) - 1,
  }
}
