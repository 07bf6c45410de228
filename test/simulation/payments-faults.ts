import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxChain, SandboxKnobs } from '@ti/sandbox/chain.ts'
import { pickWeighted, type Random } from './payments-market.ts'
import type { Program } from './payments-program.ts'

/** When the service is killed: whenever, or at the two moments that matter most. */
export const MOMENTS = ['whenever', 'signature written, not sent', 'landed, not answered'] as const
export type Moment = (typeof MOMENTS)[number]

/** A chain that misbehaves, and a service that dies. */
export interface Faults {
  /** faults by name, how often each was on */
  readonly seen: Map<string, number>
  /** switches faults at random until `calm` */
  start(random: Random): void
  /** no faults from now on; what was held back goes on */
  calm(): Promise<void>
  /** kills the service at such a moment; resolves when it is dead */
  kill(moment: Moment, random: Random): Promise<void>
}

interface Fault {
  readonly weight: number
  readonly name: string
  readonly knobs?: Partial<Pick<SandboxKnobs, 'sends' | 'confirmations' | 'hideStatuses'>>
  /** method that answers with errors */
  readonly reject?: string
  /** that pass at once */
  readonly slots?: number
}

const FAULTS: readonly Fault[] = [
  { weight: 6, name: 'late confirmation', knobs: { confirmations: 300 } },
  { weight: 2, name: 'held confirmation', knobs: { confirmations: 'held' } },
  { weight: 2, name: 'hidden statuses', knobs: { hideStatuses: true } },
  { weight: 2, name: 'send refused', knobs: { sends: 'refuse' } },
  { weight: 2, name: 'send dropped', knobs: { sends: 'drop' } },
  { weight: 3, name: 'send held', knobs: { sends: 'hold' } },
  { weight: 3, name: 'send hangs', knobs: { sends: 'hang' } },
  { weight: 3, name: 'send accepted, then an error', knobs: { sends: 'accept-then-fail' } },
  { weight: 3, name: 'send accepted, then silence', knobs: { sends: 'accept-then-hang' } },
  { weight: 2, name: 'no simulation', reject: 'simulateTransaction' },
  { weight: 2, name: 'no statuses', reject: 'getSignatureStatuses' },
  { weight: 1, name: 'slots pass', slots: 40 },
]

/** Milliseconds a special moment is waited for before the service is killed whatever it does. */
const MOMENT_MS = 3_000

export function createFaults(chain: SandboxChain, program: Program): Faults {
  const { knobs } = chain
  const seen = new Map<string, number>()
  let running = false
  let loop: Promise<void> = Promise.resolve()

  function reset(): void {
    knobs.sends = 'none'
    knobs.confirmations = 'now'
    knobs.hideStatuses = false
    knobs.reject.clear()
    knobs.release()
  }

  async function misbehave(random: Random): Promise<void> {
    while (running) {
      await pause(100 + random() * 400)
      if (!running) break
      const { name, knobs: set, reject, slots } = pickWeighted(FAULTS, random)
      seen.set(name, (seen.get(name) ?? 0) + 1)
      Object.assign(knobs, set)
      if (reject !== undefined) knobs.reject.add(reject)
      if (slots !== undefined) chain.advanceSlots(slots)
      await pause(50 + random() * 200)
      reset()
    }
  }

  /** The method whose call is the moment; the call itself is not carried out. */
  async function killAt(method: string, isNow: () => boolean): Promise<void> {
    const dead = new Promise<void>((done) => {
      knobs.before = async (called) => {
        if (called !== method || !isNow()) return
        knobs.before = undefined
        await program.kill()
        done()
        throw new Error('nobody is left to be answered')
      }
    })
    const late = new AbortController()
    await Promise.race([dead, pause(MOMENT_MS, undefined, { signal: late.signal })])
    late.abort()
    knobs.before = undefined
  }

  return {
    seen,
    start(random) {
      running = true
      loop = misbehave(random)
    },
    async calm() {
      running = false
      await loop
      reset()
    },
    async kill(moment, random) {
      const before = program.kills.length
      const earned = chain.tokens(chain.seller)
      if (moment === 'signature written, not sent') await killAt('sendTransaction', () => true)
      // whoever asks first after a transfer has landed asks for it, or will not get to ask
      if (moment === 'landed, not answered') {
        await killAt('getSignatureStatuses', () => chain.tokens(chain.seller) > earned)
      }
      if (program.kills.length > before) {
        await program.kill()
        return void seen.set(`killed: ${moment}`, (seen.get(`killed: ${moment}`) ?? 0) + 1)
      }
      await pause(random() * 40)
      await program.kill()
      seen.set('killed: whenever', (seen.get('killed: whenever') ?? 0) + 1)
    },
  }
}
