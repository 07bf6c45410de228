import { writeSimulation } from './cli/simulate.ts'
import { pass } from './cli/evaluate-pass.ts'
import { SILENT } from '@ti/service/cli/io.ts'
import { readTruth, truthPath } from './simulator/truth.ts'
import { rmSync } from 'node:fs'
const file = '/tmp/h2/panic.capture'
for (const p of [file, `${file}.truth.jsonl`]) rmSync(p, { force: true })
await writeSimulation(file, { market: '3', seed: '7002', tps: '60', trades: 200000, truth: true })
const plain = await pass(file, {}, SILENT, () => {})
const flagged = new Map(plain.flagged.map((f) => [f.mint, f]))
const c = new Map<string, [number, number, number, number, number]>()
for await (const t of readTruth(truthPath(file))) {
  const f = flagged.get(t.mint); const r = c.get(t.launch) ?? [0, 0, 0, 0, 0]
  r[0]++; if (f && f.ruggedSlot >= 0) r[1]++; if (f && f.drainedSlot >= 0) r[2]++
  const gain = Math.max(0, ...t.groups.map((g) => g.got - g.paid)); if (gain >= 2e9) { r[3]++; if (f && f.ruggedSlot >= 0) r[4]++ }
  c.set(t.launch, r)
}
for (const [k, v] of c) console.log(k, `launches ${v[0]} rugged ${v[1]} drained ${v[2]}; group gained 2 SOL ${v[3]}, of them rugged ${v[4]}`)
