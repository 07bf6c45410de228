import type { Instruction, KeyPairSigner } from '@solana/kit'
import type { Random } from '../simulator/random.ts'
import type { NodeAnswer } from './node-answer.ts'
import type { Vm } from './vm.ts'

/** What the accounts say after a transaction; the fields depend on `kind`. Base units are text. */
export interface Expectation {
  readonly kind: string
  readonly [fact: string]: unknown
}

export interface Stage {
  readonly vm: Vm
  readonly random: Random
  /** Steps to take after the creation. */
  readonly steps: number
  /**
   * Runs one transaction and records it under a label, with what `expect` reads from the accounts afterwards. Throws if the programs
   * refuse it, unless the driver meant them to (`fails`).
   */
  act(label: string, instructions: readonly Instruction[], how: Act): Promise<NodeAnswer>
}

interface Act {
  /** The first pays. */
  readonly signers: readonly KeyPairSigner[]
  readonly expect?: () => Expectation
  readonly fails?: true
}

/** Leads one token through a random life. */
export interface Driver {
  /** Programs that the runtime does not bring: `solana program dump ADDRESS ADDRESS.so`. */
  readonly programs: readonly string[]
  play(stage: Stage): Promise<void>
}
