import { rmSync } from 'node:fs'
import { lockDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openCapture } from '../source/capture/capture.ts'
import { recordCapture } from '../source/capture/record.ts'
import { partialOf, resumeCaptureWriter } from '../source/capture/writer.ts'
import { openSource } from '../source/open.ts'
import { countsInWords, infoInWords } from './capture-words.ts'
import type { Run } from './definition.ts'
import { wrongUsage } from './parse.ts'

/** milliseconds one recording may last */
const RECORD_MS = 7 * 86_400_000
export const record: Run = async (given, io) => {
  const [out = ''] = given.operands
  const forMs = durationOf(given.text('for'))
  const source = await openSource(given.text('source') ?? readOptions(environment()).source)
  const bar = io.progress('record')
  const written = await whileLocked(out, () =>
    recordCapture(source, out, {
      forMs,
      signal: io.signal,
      onProgress: (share, items, slot) => bar.update(share, () => `${items} items, slot ${slot}`),
    }),
  )
  bar.done()
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
}

export const finish: Run = async (given, io) => {
  const [out = ''] = given.operands
  io.leaves(partialOf(out), 'the same command continues')
  const written = await whileLocked(out, async () => (await resumeCaptureWriter(out)).finish())
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
}

/** Holds a lock, in a folder beside the recording, so that only one process writes it. */
async function whileLocked<T>(out: string, work: () => Promise<T>): Promise<T> {
  const dir = `${out}.recording`
  const lock = await lockDataDir(dir)
  try {
    return await work()
  } finally {
    await lock.release()
    rmSync(dir, { recursive: true, force: true })
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function durationOf(text: string | undefined): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text ?? '') ?? []
  const ms = Number(number) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
  if (!(ms > 0 && ms <= RECORD_MS)) throw wrongUsage('--for takes a time like 90s, 10m, 2h, up to 7d')
  return ms
}

export const info: Run = async (given, io) => {
  const [file = ''] = given.operands
  const { info } = await openCapture(file)
  io.result(given.has('json') ? `${JSON.stringify(info, null, 2)}\n` : infoInWords(file, info))
}
