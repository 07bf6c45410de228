import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { TruthMarket, TruthToken } from './truth.ts'

/** Characters buffered before a write. */
const BUFFER = 1 << 16

/** Writes a truth file line by line; it gets its name only once complete. */
interface TruthWriter {
  readonly write: (token: TruthToken) => void
  finish(): void
  discard(): void
}

export function createTruthWriter(
  path: string,
  { seed, tps }: { readonly seed: number; readonly tps: number },
): TruthWriter {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w')
  const head: TruthMarket = { kind: 'market', seed, tps, format: 3 }
  let text = `${JSON.stringify(head)}\n`
  const flush = () => {
    writeSync(file, text)
    text = ''
  }
  return {
    write(token) {
      text += `${JSON.stringify(token)}\n`
      if (text.length >= BUFFER) flush()
    },
    finish() {
      flush()
      closeSync(file)
      renameSync(partial, path)
    },
    discard() {
      closeSync(file)
      rmSync(partial, { force: true })
    },
  }
}
