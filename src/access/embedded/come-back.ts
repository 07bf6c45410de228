import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isShortage, outOfRoom } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import { accountsAway, openFiles, type Running } from './opening.ts'
import type { Places } from './paths.ts'
import { SEGMENT_BYTES } from './wal.ts'

/**
 * Opens the database of this process again as soon as there is room for it: verified, brought up to date from its WAL, with a
 * checkpoint and a seal of its own before anybody asks it. Null: `signal` came first. OperatorError: it is damaged.
 */
export async function comeBack(
  places: Places,
  signal: AbortSignal,
  seal: (places: Places, run: Running) => void,
): Promise<Running | null> {
  for (;;) {
    await pause(LIMITS.accounts.returnMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return null
    try {
      probeRoom(places)
      return await openAgain(places, seal)
    } catch (error) {
      if (!isShortage(error)) throw error
      processTroubles.note('accounts', error)
    }
  }
}

async function openAgain(places: Places, seal: (places: Places, run: Running) => void): Promise<Running> {
  const run = await openFiles(places, false)
  try {
    await run.pg.query('checkpoint')
    seal(places, run)
    return run
  } catch (error) {
    run.files.release()
    run.seal?.close()
    throw run.files.shortage === null ? error : accountsAway(run.files.shortage)
  }
}

const PROBE = Buffer.alloc(64 << 10, 1)

/**
 * Throws if opening would fail anyway, because opening costs much more than this check. Recovery needs at most one WAL file
 * and some pages: a file size limit shows at the end of such a file, a lack of descriptors at the first.
 */
function probeRoom({ seal }: Pick<Places, 'seal'>): void {
  const { bavail, bsize } = statfsSync(seal)
  if (bavail * bsize < LIMITS.accounts.roomBytes) throw outOfRoom(`${bavail * bsize} bytes are left on the disk`)
  const path = join(seal, 'room')
  const file = openSync(path, 'w', 0o600)
  try {
    const written = writeSync(file, PROBE, 0, PROBE.length, SEGMENT_BYTES - PROBE.length)
    if (written < PROBE.length) throw outOfRoom('a probe found no room')
  } finally {
    closeSync(file)
    rmSync(path, { force: true })
  }
}
