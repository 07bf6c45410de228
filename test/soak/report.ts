import { writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { commandOf, type SoakOptions } from './options.ts'
import type { SoakResult } from './soak.ts'

export type Summary = ReturnType<typeof summarise>

export function summarise({ seed, pattern, dir, ...options }: SoakOptions, result: SoakResult) {
  const { growth, failures, hash, ...numbers } = result
  return {
    ok: failures.length === 0,
    seed,
    pattern,
    command: commandOf({ seed, pattern, dir, ...options }),
    ...numbers,
    commitsPerSecond: Math.round(result.commits / Math.max(1, result.seconds)),
    hash,
    growth: growth.map(({ commits, entries, bytes }) => ({
      commits,
      entries,
      bytes,
      bytesPerEntry: Math.round(bytes / Math.max(1, entries)),
    })),
    failures,
  }
}

export function writeReport(file: string, summary: Summary): void {
  const { growth, failures, readers, ...rest } = summary
  const row = (name: string, value: unknown): string => `| ${name} | ${value} |`
  // a tenth of the samples shows the course
  const shown = growth.filter((_, i) => i % 8 === 0 || i === growth.length - 1)
  const text = [
    `# Soak: ${rest.pattern}, seed ${rest.seed}: ${rest.ok ? 'passed' : 'FAILED'}`,
    '',
    `\`${rest.command}\`, Node ${process.version} on ${platform()} ${arch()} with ${cpus().length} cores`,
    '',
    '| what | value |',
    '|---|---|',
    row('commits', `${rest.commits} (${rest.commitsPerSecond} a second)`),
    row('log entries', rest.entries),
    row('kills (SIGKILL)', rest.kills),
    row('clean restarts', rest.restarts),
    row('states compared with a plain fold', rest.compared),
    row('checkpoints made, exports made', `${rest.checkpoints}, ${rest.exports}`),
    row('restored checkpoints compared with a plain fold', rest.comparedCheckpoints),
    row('values read by other processes, pools looked up by the thread', `${readers.values}, ${readers.poolLookups}`),
    row('longest opening', `${rest.openMs} ms`),
    row('state hash', rest.hash),
    row('duration', `${rest.seconds} s`),
    '',
    '| commits | entries | MB on disk | bytes an entry |',
    '|---|---|---|---|',
    ...shown.map((one) => `| ${one.commits} | ${one.entries} | ${Math.ceil(one.bytes / 1e6)} | ${one.bytesPerEntry} |`),
    ...failures.map((failure) => `\nFailure:\n\n\`\`\`text\n${failure}\n\`\`\``),
    '',
  ]
  writeFileSync(file, text.join('\n'))
}
