import { EXIT, OperatorError } from '../base/errors.ts'
import type { Source } from './source.ts'

/** A kind of source that another package brings: SOURCE names it as `NAME:REST`. */
export interface SourceKind {
  readonly name: string
  /** an example of SOURCE */
  readonly example: string
  /** the source where SOURCE is not set, in place of asking for one */
  readonly default?: string
  /** OperatorError for an option it does not have */
  open(rest: string): Promise<Source>
}

const kinds = new Map<string, SourceKind>()

export const addSourceKind = (kind: SourceKind): void => void kinds.set(kind.name, kind)
export const sourceKind = (name: string): SourceKind | undefined => kinds.get(name)
export const sourceKinds = (): readonly SourceKind[] => [...kinds.values()]

/** The error of a source for an invalid SOURCE. */
export const refuse = (message: string): OperatorError => new OperatorError(message, { exitCode: EXIT.usage })

export interface Bound {
  readonly min: number
  readonly max: number
  readonly whole: boolean
}

export const bound = (min: number, max: number, whole = true): Bound => ({ min, max, whole })

/** The value of an option of SOURCE. OperatorError says what it takes. */
export function numberOf(kind: string, name: string, text: string, { min, max, whole }: Bound): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    throw refuse(
      `source ${kind}: ${name} takes ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, not "${text}"`,
    )
  return value
}
