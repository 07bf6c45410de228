import { count, counted, sol } from './format.ts'

/** A deployer's record in words, the same for verdicts, the page and link previews. */

interface DeployerRecord {
  readonly launched: number
  readonly graduated: number
  /** Null where what became of its launches is not known; SOL. */
  readonly all: { readonly drained: number; readonly rugged: number; readonly taken_sol: number } | null
}

/** A rugged token was drained, unless others took it over since. */
export const lost = (drained: number, rugged: number): string =>
  drained === 0 && rugged > 0
    ? `${count(rugged)} rugged`
    : `${drained === 0 ? 'none' : count(drained)} drained${rugged > 0 ? ` (${count(rugged)} rugged)` : ''}`

/** "7 other launches: 3 drained (1 rugged), 4 not; 2 graduated; 0.9 SOL taken out", or "first launch". */
export function deployerRecord({ launched, graduated, all }: DeployerRecord, launch = 'launch'): string {
  if (launched === 0) return 'first launch'
  const isOne = launched === 1
  const { drained = 0, rugged = 0, taken_sol = 0 } = all ?? {}
  const kept = drained > 0 && launched > drained ? `, ${count(launched - drained)} not` : ''
  const fate = isOne ? (rugged > 0 ? 'rugged' : drained > 0 ? 'drained' : 'not drained') : lost(drained, rugged) + kept
  const parts = [
    ...(all === null ? [] : [fate]),
    isOne
      ? graduated > 0
        ? 'graduated'
        : 'not graduated'
      : `${graduated === 0 ? 'none' : count(graduated)} graduated`,
    ...(taken_sol > 0 ? [`${sol(taken_sol)} SOL taken out`] : []),
  ]
  return `${counted(launched, launch, `${launch}es`)}: ${parts.join('; ')}`
}
