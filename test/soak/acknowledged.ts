import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/**
 * What the writing process has acknowledged, in a file of two numbers: one write after each commit, which stays when the
 * process is killed, and which nobody has to read as fast as it is written.
 */
export interface Acknowledged {
  /** newest log entry, -1 none */
  readonly seq: number
  /** commits of all sessions */
  readonly commits: number
}

const BYTES = 16

export interface Acknowledging {
  write(state: Acknowledged): void
  read(): Acknowledged
  close(): void
}

export function openAcknowledged(path: string, create: boolean): Acknowledging {
  const file = openSync(path, create ? 'w+' : 'r+')
  const buffer = Buffer.alloc(BYTES)
  const write = ({ seq, commits }: Acknowledged): void => {
    buffer.writeDoubleLE(seq, 0)
    buffer.writeDoubleLE(commits, 8)
    writeSync(file, buffer, 0, BYTES, 0)
  }
  if (create) write({ seq: -1, commits: 0 })
  return {
    write,
    read() {
      readSync(file, buffer, 0, BYTES, 0)
      return { seq: buffer.readDoubleLE(0), commits: buffer.readDoubleLE(8) }
    },
    close: () => closeSync(file),
  }
}
