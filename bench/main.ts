import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { benchAlerts } from './alerts.ts'
import { benchCatchUp } from './catch-up.ts'
import { benchConditions } from './conditions.ts'
import { benchDecode } from './decode.ts'
import { benchGate } from './gate.ts'
import { benchHttp } from './http.ts'
import { benchJunk } from './junk.ts'
import { benchNewNode } from './new-node.ts'
import { benchPage } from './page.ts'
import { benchReading } from './reading.ts'
import { benchReplay } from './replay.ts'
import { benchShared } from './shared.ts'
import { benchShortages } from './shortages.ts'
import { benchStart } from './start.ts'
import { benchStreams } from './streams.ts'
import type { BenchRow } from './types.ts'

/**
 * Runs all benchmarks or the given ones: `npm run bench -- http`. Several run in separate processes, because garbage of
 * one would be collected during the next. Exits with 1 if a bar is missed.
 */
const BENCHES: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  alerts: benchAlerts,
  'catch-up': benchCatchUp,
  conditions: benchConditions,
  decode: benchDecode,
  gate: benchGate,
  http: benchHttp,
  junk: benchJunk,
  'new-node': benchNewNode,
  page: benchPage,
  reading: benchReading,
  replay: benchReplay,
  shared: benchShared,
  shortages: benchShortages,
  start: benchStart,
  streams: benchStreams,
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url), 'utf8')).version

async function main(): Promise<void> {
  const named = process.argv.slice(2)
  const unknown = named.filter((name) => !Object.hasOwn(BENCHES, name))
  if (unknown.length > 0)
    throw new Error(`no such bench: ${unknown.join(' ')}; there are ${Object.keys(BENCHES).join(' ')}`)
  const names = named.length > 0 ? named : Object.keys(BENCHES)
  if (names.length > 1) return summarise(names.filter(isMissedAlone))
  const missed = await runHere(names[0]!)
  console.log(`\n${missed === 0 ? 'all bars met' : `${missed} bars missed`}`)
  process.exitCode = missed === 0 ? 0 : 1
}

function summarise(missed: readonly string[]): void {
  console.log(`\n${missed.length === 0 ? 'all bars met' : `bars missed in: ${missed.join(', ')}`}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}

/** Returns the number of missed bars. */
async function runHere(name: string): Promise<number> {
  const [cpu] = cpus()
  console.log(`${cpu?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, node ${process.version}`)
  console.log(`anchor ${versionOf('@coral-xyz/anchor')}, solana-dex-parser ${versionOf('solana-dex-parser')}`)
  const rows = await BENCHES[name]!()
  for (const row of rows) {
    const bar = row.bar === null ? 'no bar' : `bar ${row.bar}`
    console.log(
      `\n${row.pass ? 'ok    ' : 'MISSED'} ${row.name}: ${row.ratio.toFixed(2)} (${bar})\n       ${row.detail}`,
    )
  }
  return rows.filter(({ pass }) => !pass).length
}

function isMissedAlone(name: string): boolean {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, name], { stdio: 'inherit' })
  return status !== 0
}

await main()
