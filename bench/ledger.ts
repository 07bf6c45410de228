import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * The embedded ledger: five synced changes per payment, without chain and HTTP. `BENCH_AGAINST=ROOT` compares its CPU
 * time with another build's.
 */
const PAYMENTS = 2_000
const SLOW_PAYMENTS = 300
/** concurrent payments, as many as one address may have */
const AT_ONCE = 64
const SLOW_SYNC_MS = 10
const CHANGES = 5
/** CPU time per payment relative to the other build */
const CPU_BAR = 1 / 3
/** payments per second on a slow disk, relative to one sync per change */
const SHARED_BAR = 10
/** additional milliseconds that the event loop is blocked on a slow disk, 99th percentile: half of one sync */
const LOOP_BAR_MS = SLOW_SYNC_MS / 2

interface Figures {
  readonly cpuMs: number
  readonly perSecond: number
  readonly loopP99Ms: number
}

async function measure(root: string, payments: number, env: Readonly<Record<string, string>> = {}): Promise<Figures> {
  const child = fileURLToPath(new URL('ledger-child.ts', import.meta.url))
  const args = ['--import', 'tsx', child, root, `${payments}`, `${AT_ONCE}`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env }, cwd: ROOT })
  return JSON.parse(stdout) as Figures
}

const show = ({ cpuMs, perSecond, loopP99Ms }: Figures): string =>
  `${cpuMs.toFixed(2)} ms of processor, ${Math.round(perSecond)} payments/s, event loop held for ${loopP99Ms.toFixed(1)} ms (p99)`

export async function benchLedger(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-slow-'))
  try {
    const library = join(dir, 'slow-sync.so')
    const source = join(ROOT, 'test/power/slow-sync.c')
    const made = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'])
    if (made.status !== 0) throw new Error('slow-sync.c needs a C compiler (cc)')
    const here = await measure(ROOT, PAYMENTS)
    const other = process.env.BENCH_AGAINST
    const before = other === undefined ? null : await measure(other, PAYMENTS)
    const slow = await measure(ROOT, SLOW_PAYMENTS, { LD_PRELOAD: library, SLOW_SYNC_US: `${SLOW_SYNC_MS * 1000}` })
    const alone = 1000 / (CHANGES * SLOW_SYNC_MS)
    const ratio = before === null ? here.cpuMs : here.cpuMs / before.cpuMs
    return [
      {
        name: before === null ? 'ledger: ms of processor for a payment' : "ledger: processor against the other build's",
        ratio,
        bar: before === null ? null : CPU_BAR,
        pass: before === null || ratio <= CPU_BAR,
        detail: `${show(here)}${before === null ? '' : `; before: ${show(before)}`}; ${AT_ONCE} at once`,
      },
      {
        name: `ledger: payments/s where a sync takes ${SLOW_SYNC_MS} ms, against a sync for each change`,
        ratio: slow.perSecond / alone,
        bar: SHARED_BAR,
        pass: slow.perSecond / alone >= SHARED_BAR,
        detail: show(slow),
      },
      {
        name: 'ledger: ms the event loop is held longer there',
        ratio: slow.loopP99Ms - here.loopP99Ms,
        bar: LOOP_BAR_MS,
        pass: slow.loopP99Ms - here.loopP99Ms <= LOOP_BAR_MS,
        detail: '99th percentile',
      },
    ]
  } finally {
    rmSync(dir, { recursive: true })
  }
}
