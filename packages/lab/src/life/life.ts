import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@solana/kit'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'
import { createRandom } from '../simulator/random.ts'
import type { Driver, Expectation } from './driver.ts'
import type { NodeAnswer } from './node-answer.ts'
import { createVm } from './vm.ts'

export interface LifeOptions {
  readonly seed: number
  readonly steps: number
  /** Folder with the programs that the driver names, each as ADDRESS.so. */
  readonly programs: string | null
  readonly onStep?: (steps: number) => void
}

/** A transaction as a node answers it, and what the accounts say after it. */
export interface Step {
  readonly label: string
  readonly answer: NodeAnswer
  readonly expected: (Expectation & { readonly label: string }) | null
}

/** Leads a token through a random life in the runtime. */
export async function playLife(driver: Driver, options: LifeOptions): Promise<Step[]> {
  const { seed, steps, programs, onStep } = options
  const vm = createVm(seed)
  for (const program of driver.programs) {
    const file = join(programs ?? '', `${program}.so`)
    if (programs === null || !existsSync(file))
      throw new OperatorError(
        `${file} is missing: solana program dump ${program} ${program}.so, in the folder of --programs`,
        {
          exitCode: EXIT.badFile,
        },
      )
    vm.addProgram(program as Address, file)
  }
  const taken: Step[] = []
  await driver.play({
    vm,
    random: createRandom(seed, 1, 7),
    steps,
    async act(label, instructions, { signers, expect, fails = false }) {
      const answer = await vm.run(instructions, signers)
      if ((answer.meta.err !== null) !== fails)
        throw new Error(`${label}: ${fails ? 'the programs took it' : JSON.stringify(answer.meta)}`)
      taken.push({ label, answer, expected: expect === undefined ? null : { label, ...expect() } })
      onStep?.(taken.length)
      return answer
    },
  })
  return taken
}

/** Writes one file for each transaction, in their order, and `expect.jsonx` with the answers. */
export function writeLife(steps: readonly Step[], dir: string): void {
  if (existsSync(dir) && readdirSync(dir).length > 0) throw new OperatorError(`${dir} is not empty`)
  mkdirSync(dir, { recursive: true })
  const digits = String(steps.length).length
  for (const [i, { label, answer }] of steps.entries())
    writeFileSync(join(dir, `${String(i).padStart(digits, '0')}_${label}.json`), `${JSON.stringify(answer)}\n`)
  const expected = steps.flatMap(({ expected }) => expected ?? [])
  writeFileSync(join(dir, 'expect.jsonx'), `${JSON.stringify(expected, null, 1)}\n`)
}
